/**
 * A server as the conformance suite can reach it.
 *
 * The suite sends no token and names no project, so something before the server adds both. Everything else, the Host and
 * the Origin above all, passes as it is.
 */
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openWorld } from "../../../src/app/compose.ts";
import { ALWAYS_LOADED, catalog, DEFAULT_TOOLS, GUIDANCE, PROMPTS, RESOURCES } from "../../../src/catalog/catalog.ts";
import type { Catalog } from "../../../src/catalog/operation.ts";
import { serveHttp } from "../../../src/http/serve.ts";
import { systemClock } from "../../../src/machine/clock.ts";
import { SUITE_PROMPTS, SUITE_RESOURCES, SUITE_VERBS } from "./suite-catalog.ts";

const TOKEN = "token-of-the-suite";

export interface ServedSuite extends AsyncDisposable {
  url: string;
}

export async function serveSuite(home: string, project: string): Promise<ServedSuite> {
  let target = 0;
  const before = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${TOKEN}`, "stele-project": encodeURI(project) };
    const { method, url } = incoming;
    const passed = request({ host: "127.0.0.1", port: target, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  const port = await listening(before);
  const about = { catalog: withSuite(), version: "1" };
  const server = await serveHttp({
    ...about,
    clock: systemClock,
    token: TOKEN,
    host: "127.0.0.1",
    port: 0,
    graceMs: 100,
    names: [`127.0.0.1:${port}`, `localhost:${port}`],
    open: (named) =>
      openWorld({ host: "http", project: named, home, serves: true, settings: { embedder: { provider: "hash" } } }),
    spaces: async () => [],
    examine: async () => [],
    mcp: {
      ...about,
      tools: "full",
      structured: true,
      defaultTools: DEFAULT_TOOLS,
      alwaysLoaded: ALWAYS_LOADED,
      guidance: GUIDANCE,
      resources: [...RESOURCES, ...SUITE_RESOURCES],
      prompts: [...PROMPTS, ...SUITE_PROMPTS],
    },
  });
  target = Number(new URL(server.url).port);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      before.closeAllConnections();
      before.close();
      await server.stop();
    },
  };
}

function withSuite(): Catalog {
  const names = [...catalog.names, ...SUITE_VERBS.map(({ name }) => name)];
  const load = async (name: string) =>
    SUITE_VERBS.find((verb) => verb.name === name) ?? catalog.load(name as (typeof catalog.names)[number]);
  return { ...(catalog as Catalog), names, load };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
