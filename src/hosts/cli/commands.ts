/**
 * Process commands: what `stele` starts that is not a verb.
 *
 * A closed list, given as data: help, spelling hints and the entry read it from here.
 */
export interface ProcessCommand {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly (readonly [flag: string, description: string])[];
}

export const PROCESS_COMMANDS = [
  {
    name: "mcp",
    usage: "stele mcp [--tools default|full] [--project DIR]",
    summary: "Serve the verbs as MCP tools over standard input and output.",
    flags: [
      ["--tools default|full", "Which verbs become tools: the everyday ones, or all. (default default)"],
      ["--project DIR", "The project to remember for; the current directory when omitted."],
    ],
  },
  {
    name: "doctor",
    usage: "stele doctor [--recover [--yes]] [--json] [--project DIR]",
    summary: "Look at everything that can go wrong: program, files, settings, stores, backups; mend it with --recover.",
    flags: [
      ["--recover", "Make damaged stores anew, close files to others, remove what dead processes left."],
      ["--yes", "Do not ask before a damaged store is made anew; the damaged file is kept in any case."],
      ["--json", "Print exactly one JSON document."],
      ["--project DIR", "The project whose settings are meant; the current directory when omitted."],
    ],
  },
  { name: "demo", usage: "stele demo", summary: "Show what Stele does, in a throwaway project.", flags: [] },
] as const satisfies readonly ProcessCommand[];
