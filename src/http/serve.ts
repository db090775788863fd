/**
 * The HTTP server: listens, answers, and ends in an orderly way.
 *
 * Bound to this machine unless told otherwise. Shutting down lets running calls finish; connections that send nothing
 * are closed. When it ends, no store, model or process is left.
 */
import type { Server } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createAdaptorServer } from "@hono/node-server";
import { Failure } from "../errors.ts";
import type { StartIdle } from "../mcp/lazy-world.ts";
import { createChanges } from "./changes.ts";
import { createRate, createTokens, newToken, type RateLimit } from "./guard.ts";
import { readPage } from "./page-files.ts";
import { createProjects, type ProjectsOptions } from "./projects.ts";
import { type AppOptions, createApp, mcpRoute, type McpRouteOptions } from "./routes.ts";

interface HttpOptions extends Pick<AppOptions, "catalog" | "spaces" | "version" | "examine" | "peerOf"> {
  open: ProjectsOptions["open"];
  idle?: StartIdle;
  clock: { now(): number };
  /** The token of programs. */
  token: string;
  /** Where the page's files are; beside the program when omitted. */
  pageFolder?: string | undefined;
  /** The address to listen on. */
  host: string;
  /** 0 for any that is free. */
  port: number;
  tls?: { cert: string; key: string } | undefined;
  rate?: RateLimit;
  graceMs?: number;
  mcp: McpRouteOptions;
  /** Further names under which it is reached, with scheme and port where they are others there. The first is for people. */
  names?: readonly string[];
}

export interface Served {
  readonly url: string;
  /** Where people find the page: under the first name that was told, else here. */
  readonly pageUrl: string;
  /** Stops it and makes codes, over HTTP. */
  readonly ownerKey: string;
  /** A code that a person opens the page with. */
  issueCode(): string;
  /** Resolves once it has stopped, whoever asked for it. */
  readonly stopped: Promise<void>;
  stop(): Promise<void>;
}

const GRACE_MS = 5_000;
const SWEEP_MS = 60_000;
const HANG_UP_MS = 20;
const RATE: RateLimit = { burst: 2_000, perSecond: 1_000 };
/** Nobody types codes: whoever tries more is guessing. */
const CODE_RATE: RateLimit = { burst: 10, perSecond: 1 };
/** A connection that takes longer to say what it wants is closed; so is one that has nothing to say. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 5_000 };
const MOST_CONNECTIONS = 1_024;

export async function serveHttp(options: HttpOptions): Promise<Served> {
  const { clock, tls } = options;
  const scheme = tls === undefined ? "http" : "https";
  const projects = createProjects(options);
  const changes = createChanges(projects, clock);
  let origins: readonly string[] = [];
  const ended = Promise.withResolvers<void>();
  const url = () => `${origins[0]}/`;
  const [told] = options.names ?? [];
  const pageUrl = () => (told === undefined ? url() : `${originOf(told, Number(new URL(url()).port), scheme)}/`);
  const mcp = mcpRoute(options.mcp, projects, pageUrl);
  const ownerKey = newToken();
  const tokens = createTokens({ token: options.token, ownerKey }, clock);
  const app = createApp({
    catalog: options.catalog,
    spaces: options.spaces,
    version: options.version,
    examine: options.examine,
    ...(options.peerOf && { peerOf: options.peerOf }),
    projects,
    changes,
    mcp,
    tokens,
    page: readPage(options.pageFolder),
    rate: createRate(options.rate ?? RATE, clock),
    codeRate: createRate(CODE_RATE, clock),
    origins: () => origins,
    pageUrl,
    stop: () => ended.resolve(),
  });
  const server = await listen(app.fetch, options);
  origins = originsOf(server.address() as AddressInfo, [options.host, ...(options.names ?? [])], scheme);
  const sweeping = setInterval(() => void projects.sweep(), SWEEP_MS).unref();
  const stopped = ended.promise.then(async () => {
    clearInterval(sweeping);
    // Listeners would stay for ever.
    changes.close();
    mcp.hangUp();
    await close(server, [() => mcp.close(), (grace) => projects.close(grace)], options.graceMs ?? GRACE_MS);
  });
  return {
    url: url(),
    pageUrl: pageUrl(),
    ownerKey,
    stopped,
    issueCode: () => tokens.issueCode(),
    async stop() {
      ended.resolve();
      await stopped;
    },
  };
}

async function listen(
  fetch: Parameters<typeof createAdaptorServer>[0]["fetch"],
  options: HttpOptions,
): Promise<Server> {
  const secure = options.tls && { createServer: (await import("node:https")).createServer, serverOptions: options.tls };
  const server = createAdaptorServer({ fetch, ...(secure ?? {}) } as never) as Server;
  Object.assign(server, TIMEOUTS, { maxConnections: MOST_CONNECTIONS });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", (error: NodeJS.ErrnoException) => reject(notListening(error, options)));
  server.listen(options.port, options.host, () => resolve());
  await promise;
  return server;
}

function notListening(error: NodeJS.ErrnoException, { host, port }: HttpOptions): Failure {
  const hint = error.code === "EADDRINUSE" ? "Choose another with --port." : "Check --host and --port.";
  return new Failure("unavailable", `Cannot listen on ${host}:${port}: ${error.message}.`, hint, { cause: error });
}

/** The names a client on this machine uses first, then those it was told. */
function originsOf({ port, family, address }: AddressInfo, told: readonly string[], scheme: Scheme): string[] {
  const bare = family === "IPv6" ? `[${address}]` : address;
  // Everywhere is no name that anybody asks for.
  const listed = [bare, "127.0.0.1", "localhost", "[::1]", ...told].filter((name) => !EVERYWHERE.includes(name));
  return [...new Set(listed.map((name) => originOf(name, port, scheme)))];
}

type Scheme = "http" | "https";
const EVERYWHERE = ["0.0.0.0", "::", "[::]"];

/** As browsers write it: without the usual port of the scheme. */
function originOf(name: string, port: number, scheme: Scheme): string {
  if (/^https?:\/\//i.test(name)) return new URL(name).origin;
  const bracketed = isIPv6(name) ? `[${name}]` : name;
  return new URL(`${scheme}://${/:\d+$/.test(bracketed) ? bracketed : `${bracketed}:${port}`}`).origin;
}

/** Running calls may finish; then what they worked with is closed. */
async function close(
  server: Server,
  closers: readonly ((grace: Promise<unknown>) => Promise<unknown>)[],
  graceMs: number,
): Promise<void> {
  const finished = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection is idle once its last answer is sent, and clients keep theirs open.
  const hangingUp = setInterval(() => server.closeIdleConnections(), HANG_UP_MS);
  const answered = new AbortController();
  const grace = delay(graceMs, undefined, { signal: answered.signal }).catch(() => undefined);
  await Promise.race([finished, grace]);
  clearInterval(hangingUp);
  server.closeAllConnections();
  for (const close of closers) await close(grace);
  answered.abort();
}
