/**
 * Commands with a program of their own in the build, which has nothing of any other command.
 *
 * A command reads all code of its program, so that the start of these does not depend on how many others there are. The
 * everyday verbs are here because they are run most; the process commands because no verb needs their code.
 */
export const PROCESS_PROGRAMS: readonly string[] = ["init", "doctor", "team", "demo"];
export const OWN_PROGRAMS: readonly string[] = [
  ...["remember", "recall", "get", "list", "decisions", "orient"],
  ...PROCESS_PROGRAMS,
];

/** Commands that serve others until they are told to stop, by the entry that runs them. */
const SERVERS = { mcp: "mcp", serve: "serve", open: "serve" } as const;
export type ServerCommand = keyof typeof SERVERS;

/** The entry of a command that serves; null for all others. */
export const serverEntry = (command: string): "mcp" | "serve" | null =>
  Object.hasOwn(SERVERS, command) ? SERVERS[command as ServerCommand] : null;

/** The file of a command in the build. */
export function programOf(command: string): string {
  const server = serverEntry(command);
  if (server !== null) return `${server}.js`;
  return OWN_PROGRAMS.includes(command) ? `main-${command}.js` : "main.js";
}

/**
 * What compiled code is kept by: the program, because V8 accepts the code of no other, and the command, because each uses
 * other parts of it. Words that people type are hashed: not all are names of files.
 */
export function compiledName(program: string, command: string): string {
  let hash = 0;
  for (let at = 0; at < command.length; at++) hash = (Math.imul(31, hash) + command.charCodeAt(at)) | 0;
  return `${program}-${hash >>> 0}`;
}
