/**
 * The routes of the server: every verb, the documents that describe them, and a few about the server itself.
 *
 * Verbs come from the catalog; none is known here by name. Nothing is answered before the guard has looked.
 */
import type { HttpBindings } from "@hono/node-server";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { PROJECT_HEADER } from "../agents/connection.ts";
import { type AnyOperation, type Catalog, loadAll } from "../catalog/operation.ts";
import { Failure, FAILURES, toFailure } from "../errors.ts";
import { type Finding, reportOf } from "../maintenance/finding.ts";
import { type MakeServer, serverMaker, type ServerOptions, type SharedWorld } from "../mcp/server.ts";
import type { Space } from "../memory/space.ts";
import type { World } from "../world.ts";
import type { Changes } from "./changes.ts";
import { openApi, referencePage } from "./documents.ts";
import { type Bearer, type Caller, checkBearer, checkSender, type Knock, type Tokens } from "./guard.ts";
import { pageAddress, type PageFile, pageResponse } from "./page-files.ts";
import { lines, NDJSON } from "./progress-lines.ts";
import type { Projects } from "./projects.ts";
import {
  BODY_LIMIT_BYTES,
  callVerb,
  documentOf,
  jsonBody,
  type Outcome,
  projectNamed,
  refusePaths,
  verbRequest,
} from "./requests.ts";

/**
 * MCP over HTTP, for both generations of the protocol.
 *
 * Every request stands alone and names its project. Nobody is asked here: any script could answer a form that it was
 * sent, so what needs a person is answered with the page where they decide, and the command that they can run.
 */
export type McpRouteOptions = Omit<ServerOptions, "refuse">;

interface McpRoute {
  answer(request: Request): Promise<Response>;
  /** Ends what would never end by itself; calls go on. */
  hangUp(): void;
  close(): Promise<void>;
}

/** `url`: where the page is. */
export function mcpRoute(options: McpRouteOptions, projects: Projects, url: () => string): McpRoute {
  // Made by the first request: a server that only answers REST needs no tools.
  let making: Promise<MakeServer> | null = null;
  const handler = createMcpHandler(
    async ({ requestInfo }) => {
      making ??= serverMaker({ ...options, refuse: refusePaths });
      const make = await making;
      return make(worldFor(requestInfo, projects), (item) =>
        pageAddress(url(), { project: projectOf(requestInfo), item }),
      );
    },
    { maxRequestBodySize: BODY_LIMIT_BYTES },
  );
  const ending = new AbortController();
  return {
    answer: (request) => handler.fetch(isListening(request) ? until(request, ending.signal) : request),
    hangUp: () => ending.abort(),
    close: () => handler.close(),
  };
}

/** A stream of notifications, which lasts as long as its client. The handler refuses a header that the body belies. */
const isListening = ({ headers }: Request): boolean => headers.get("mcp-method") === "subscriptions/listen";
const until = (request: Request, ending: AbortSignal): Request =>
  new Request(request, { signal: AbortSignal.any([request.signal, ending]) });

/** The project that the request names; a client that only lists tools need not name one. */
const worldFor = (request: Request | undefined, projects: Projects): SharedWorld => ({
  use: async (work, purpose) => projects.use(projectOf(request), (world) => work(forAgent(world)), purpose),
});

function projectOf(request: Request | undefined): string {
  const inUrl = request && new URL(request.url).searchParams.get("project");
  return projectNamed(inUrl ?? undefined, request?.headers.get(PROJECT_HEADER) ?? undefined);
}

const forAgent = (world: World): World => ({ ...world, origin: { ...world.origin, byAgent: true } });

export interface AppOptions {
  catalog: Catalog;
  projects: Projects;
  tokens: Tokens;
  /** Under which it is reached: scheme, name and port. */
  origins(): readonly string[];
  /** Where people find the page. */
  pageUrl(): string;
  /** Throws when a bearer asks too often. */
  rate(bearer: Bearer): void;
  /** Throws when a user of this machine tries too many codes; null if it is not known which. */
  codeRate(user: number | null): void;
  spaces(): Promise<Space[]>;
  /** What the doctor finds in a project. */
  examine(project: string): Promise<Finding[]>;
  /** The files of the page; none if it is not installed. */
  page: ReadonlyMap<string, PageFile>;
  changes: Changes;
  /** Who of this machine's users is at the other end. */
  peerOf?(ends: { localPort: number; remotePort: number }): Peer;
  version: string;
  /** Ends the server once the answer is sent. */
  stop(): void;
  mcp: Pick<McpRoute, "answer">;
}

interface Peer {
  /** Null if it is not known. */
  user: number | null;
  /** Whether the server is not theirs. */
  isStranger: boolean;
}

/** Scripts, styles and images of our own and nothing else; no page may frame ours or keep a hold on its window. */
const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "font-src 'self'"],
  ...["connect-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join("; ");
const SECURITY_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": POLICY,
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

export function createApp(options: AppOptions): Hono {
  const app = new Hono();
  app.onError((thrown) => failed(toFailure(thrown)));
  app.notFound(() =>
    failed(new Failure("not_found", "There is nothing at this address.", "`GET /reference` lists the routes.")),
  );
  app.use(async (context, next) => {
    checkSender(knockOf(context), { origins: options.origins() });
    await next();
    const { headers } = context.res;
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) if (!headers.has(name)) headers.set(name, value);
  });
  const bearerOf: BearerOf = (context, welcome) => {
    const bearer = checkBearer(knockOf(context), options.tokens, welcome);
    options.rate(bearer);
    return bearer;
  };
  addDocuments(app, options);
  addServerRoutes(app, options, bearerOf);
  addProjectRoutes(app, options, bearerOf);
  return app;
}

/** Anybody may send one. */
const LARGEST_CODE_BYTES = 1_024;

type BearerOf = <B extends Bearer>(context: Context, welcome: readonly B[]) => B;
const CALLERS: readonly Caller[] = ["agent", "person"];

/** What needs no token: the page, and the description of the verbs. */
function addDocuments(app: Hono, options: AppOptions): void {
  const documents = once(async () => {
    const operations = await loadAll(options.catalog);
    return { reference: referencePage(operations), api: openApi(operations, options) };
  });
  for (const [path, file] of options.page)
    app.get(path, (context) => pageResponse(file, context.req.header("if-none-match")));
  if (!options.page.has("/")) app.get("/", (context) => context.redirect("/reference"));
  app.get("/reference", async (context) => context.html((await documents()).reference));
  app.get("/openapi.json", async (context) => context.json((await documents()).api));
}

/** The server itself: its state, its end, and how a person comes in. */
function addServerRoutes(app: Hono, options: AppOptions, bearerOf: BearerOf): void {
  app.get("/health", (context) => {
    const bearer = bearerOf(context, [...CALLERS, "owner"]);
    return context.json({
      status: "ok",
      bearer,
      version: options.version,
      pid: process.pid,
      open: options.projects.open,
      listeners: options.changes.listeners,
    });
  });
  app.post("/stop", (context) => {
    bearerOf(context, ["person", "owner"]);
    options.stop();
    return context.json({ status: "stopping" });
  });
  app.post("/person/codes", (context) => {
    bearerOf(context, ["owner"]);
    return context.json({ code: options.tokens.issueCode() });
  });
  app.post("/person/tokens", async (context) => {
    // Counted for each user, once strangers are gone: what others try must not keep the owner out.
    options.codeRate(welcomePeer(context, options));
    const { code } = ((await jsonBody(context.req.raw, LARGEST_CODE_BYTES)) ?? {}) as { code?: unknown };
    return context.json({ token: options.tokens.redeem(String(code)) });
  });
}

/**
 * The user at the other end, unless it is a stranger: the code was in the arguments of the browser's process, which every
 * user of the machine can read.
 */
function welcomePeer({ env }: Context, { peerOf }: AppOptions): number | null {
  const { localPort, remotePort } = (env as Partial<HttpBindings> | undefined)?.incoming?.socket ?? {};
  if (localPort === undefined || remotePort === undefined || peerOf === undefined) return null;
  const { user, isStranger } = peerOf({ localPort, remotePort });
  if (!isStranger) return user;
  throw new Failure("refused", "This server belongs to another user.", "Run `stele open` as yourself.");
}

function addProjectRoutes(app: Hono, options: AppOptions, bearerOf: BearerOf): void {
  const projectOf = ({ req }: Context) => projectNamed(req.query("project"), req.header(PROJECT_HEADER));
  app.get("/v1/projects", async (context) => {
    bearerOf(context, CALLERS);
    const spaces = await options.spaces();
    return context.json({ projects: spaces.map(({ id, root, createdAt }) => ({ id, root, createdAt })) });
  });
  app.get("/v1/changes", async (context) => {
    bearerOf(context, CALLERS);
    // Nobody would read the stream, so nobody would ever end it.
    if (context.req.method === "HEAD") return context.body(null);
    return options.changes.listen(projectOf(context));
  });
  app.get("/v1/doctor", async (context) => {
    bearerOf(context, ["person"]);
    return context.json(reportOf(await options.examine(projectOf(context))));
  });
  app.post("/v1/:verb", async (context) => answerVerb(context, bearerOf(context, CALLERS), options));
  app.all("/mcp", (context) => (bearerOf(context, CALLERS), options.mcp.answer(context.req.raw)));
}

async function answerVerb(context: Context, bearer: Caller, options: AppOptions): Promise<Response> {
  const op = await verbNamed(context.req.param("verb") ?? "", options.catalog);
  const request = verbRequest(op, await jsonBody(context.req.raw), context.req.header(PROJECT_HEADER));
  const calling = { bearer, session: context.req.header("stele-session"), url: options.pageUrl() };
  if (!(context.req.header("accept") ?? "").includes(NDJSON)) {
    return responseOf(await callVerb(op, request, calling, options.projects), request.dryRun);
  }
  return lines((progress) => callVerb(op, request, { ...calling, progress }, options.projects), request.dryRun);
}

async function verbNamed(word: string, catalog: Catalog): Promise<AnyOperation> {
  const name = word.replaceAll("-", "_");
  if (catalog.names.includes(name)) return catalog.load(name);
  throw new Failure("not_found", `There is no verb "${word}".`, "`GET /openapi.json` lists them.");
}

function responseOf(outcome: Outcome, dryRun: boolean): Response {
  const { status, document } = documentOf(outcome, dryRun);
  return Response.json(document, { status, headers: refusalHeaders(status) });
}

function failed(failure: Failure): Response {
  const status = FAILURES[failure.code].http;
  return Response.json(failure, { status, headers: { ...SECURITY_HEADERS, ...refusalHeaders(status) } });
}

function refusalHeaders(status: number): Record<string, string> {
  if (status === FAILURES.unauthorized.http) return { "www-authenticate": 'Bearer realm="stele"' };
  return status === FAILURES.too_many.http ? { "retry-after": "1" } : {};
}

const knockOf = ({ req }: Context): Knock => ({
  host: req.header("host"),
  origin: req.header("origin"),
  fetchSite: req.header("sec-fetch-site"),
  fetchDest: req.header("sec-fetch-dest"),
  authorization: req.header("authorization"),
});

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}
