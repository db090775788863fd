/**
 * `stele open`: the page, for the person at this terminal.
 *
 * Whoever opens it may do what only people may, so it is for people: a shell that an agent runs, or a pipe, is refused.
 * A server that runs is used; without one it serves by itself until Ctrl-C, because nothing outlives its owner.
 */
import { Failure } from "../errors.ts";
import { pageAddress } from "../http/page-files.ts";
import { commandFlags } from "./commands.ts";
import { type Io, terminal } from "./terminal.ts";

/** A server, whoever runs it. */
export interface OpenServer {
  readonly url: string;
  /** A code that is good once, for a minute. */
  code(): Promise<string>;
  /** Resolves when it has ended; null if another process runs it. */
  readonly ended: Promise<void> | null;
}

interface OpenOptions {
  io: Io;
  /** Whether a person, not a program, is at the terminal. */
  attended: boolean;
  cwd: string;
  /** The server that runs, or a new one. */
  server(port: string | undefined): Promise<OpenServer>;
  /** Shows it in a browser; false if there is none. */
  show(address: string): Promise<boolean>;
}

export async function runOpen(
  argv: readonly string[],
  { io, attended, cwd, server, show }: OpenOptions,
): Promise<number> {
  const { print, project, port } = flagsOf(argv);
  if (!attended || !io.stdin.isTTY) {
    const hint = "Run `stele open` yourself, in a terminal of your own.";
    throw new Failure("refused", "Only a person at a terminal may open the page.", hint);
  }
  const screen = terminal(io, { json: false });
  const { url, code, ended } = await server(port);
  const address = pageAddress(url, { code: await code(), project: project ?? cwd });
  const isShown = !print && (await show(address));
  // Whoever reads the code in time comes in, so it is on the screen only if it must be.
  await screen.text(isShown ? `Opened ${url} in your browser.` : `${address}\n(good once, for a minute)`);
  if (ended === null) return 0;
  await screen.text("Serving until Ctrl-C.");
  await ended;
  return 0;
}

const flagsOf = (argv: readonly string[]) =>
  commandFlags("open", argv, {
    options: {
      print: { type: "boolean", default: false },
      project: { type: "string" },
      port: { type: "string" },
    },
  }).values;
