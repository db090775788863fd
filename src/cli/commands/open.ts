/** `stele open`, with the server that runs or one of its own. */
import { startServer } from "../../app/compose-serve.ts";
import { readSurroundings } from "../../app/environment.ts";
import { usableHome } from "../../app/store-folder.ts";
import { Failure } from "../../errors.ts";
import { showInBrowser } from "../../http/browser.ts";
import { serveFlags } from "../../http/serve-flags.ts";
import { askServer, servePlace } from "../../http/serve-place.ts";
import { type OpenServer, runOpen } from "../open.ts";
import type { Io } from "../terminal.ts";
import { running } from "./serve.ts";

export async function run(argv: readonly string[], io: Io): Promise<number> {
  return runOpen(argv, { ...readSurroundings(), io, server: serverAt, show: showInBrowser });
}

async function serverAt(port: string | undefined): Promise<OpenServer> {
  const place = servePlace(usableHome());
  const serving = await startServer(place, serveFlags(port === undefined ? [] : ["--port", port]));
  if (serving !== null) {
    const { note, server, ended } = serving;
    return { url: note.pageUrl, code: async () => server.issueCode(), ended };
  }
  const note = await running(place);
  if (note === null) throw new Failure("unavailable", "The server has just ended.", "Try again.");
  const code = async () => ((await askServer(note, "POST", "person/codes")) as { code: string }).code;
  return { url: note.pageUrl, code, ended: null };
}
