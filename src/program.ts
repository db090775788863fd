/** The command line, the library, and what answers a hook: the file of the build that most calls run. */
import type { ContextRequest } from "./briefing/hook-answer.ts";

export { Failure, open } from "./index.ts";

export const main = async (argv: readonly string[]): Promise<number> => (await import("./main.ts")).main(argv);

export const answerHook = async (request: ContextRequest): Promise<number> =>
  (await import("./hook-context.ts")).main(request);
