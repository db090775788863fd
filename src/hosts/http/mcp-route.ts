/**
 * MCP over HTTP, for both generations of the protocol.
 *
 * Every request stands alone and names its project. Nobody is asked here: any script could answer a form that it was
 * sent, so what needs a person is answered with the page where they decide, and the command that they can run.
 */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { PROJECT_HEADER } from "../../model/connect/host.ts";
import type { World } from "../../ports/world.ts";
import { type MakeServer, type ServerOptions, type SharedWorld, serverMaker } from "../mcp/server.ts";
import { BODY_LIMIT_BYTES } from "./json-body.ts";
import { pageAddress } from "./page-address.ts";
import type { Projects } from "./projects.ts";
import { projectNamed, refusePaths } from "./verb-request.ts";

export type McpRouteOptions = Omit<ServerOptions, "refuse">;

export interface McpRoute {
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
