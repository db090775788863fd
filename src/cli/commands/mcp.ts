/** `stele mcp`: the MCP server. */
import { setFlagsFromString } from "node:v8";
import { startReleasing } from "../../app/heap.ts";
import { packageVersion } from "../../app/version.ts";
import { ALWAYS_LOADED, catalog, DEFAULT_TOOLS, GUIDANCE, PROMPTS, RESOURCES } from "../../catalog/catalog.ts";
import { Failure } from "../../errors.ts";
import { startWatching } from "../../files/watch-project.ts";
import { startIdleWork } from "../../maintenance/idle.ts";
import { commandFlags } from "../commands.ts";

/** Serves until the client disconnects and returns the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  const { tools, structured, project } = mcpFlags(argv);
  const { serveMcp } = await import("../../mcp/serve.ts");
  // Loading is over, so the young heap may grow again.
  setFlagsFromString("--semi-space-growth-factor=2");
  await serveMcp({
    catalog,
    tools,
    structured,
    defaultTools: DEFAULT_TOOLS,
    alwaysLoaded: ALWAYS_LOADED,
    resources: RESOURCES,
    prompts: PROMPTS,
    version: packageVersion(),
    guidance: GUIDANCE,
    idle(world) {
      const works = [startIdleWork(world), startWatching(world), startReleasing()];
      return { stop: () => works.forEach((work) => work.stop()) };
    },
    open: async (purpose) =>
      (await import("../../app/compose.ts")).openWorld({ host: "mcp", project, serves: true, ...purpose }),
  });
  return 0;
}

interface McpFlags {
  tools: "default" | "full";
  structured: boolean;
  project: string | undefined;
}

function mcpFlags(argv: readonly string[]): McpFlags {
  const options = {
    tools: { type: "string", default: "default" },
    structured: { type: "boolean", default: false },
    project: { type: "string" },
  } as const;
  const { tools, structured, project } = commandFlags("mcp", argv, { options }).values;
  if (tools === "default" || tools === "full") return { tools, structured, project };
  throw new Failure("invalid_input", "--tools must be one of default, full.", "See `stele mcp --help`.");
}
