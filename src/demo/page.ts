/**
 * The demo of the page: a made-up project in a temporary data folder, served until Ctrl-C.
 *
 * Whoever runs it may open the page, an agent too: what it shows is made up, and gone when it ends.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../app/compose-serve.ts";
import { nameHome } from "../app/environment.ts";
import { type Io, terminal } from "../hosts/cli/terminal.ts";
import { pageAddress } from "../hosts/http/page-address.ts";
import { serveFlags } from "../hosts/http/serve-flags.ts";
import { systemClock } from "../providers/clock.ts";
import { showInBrowser } from "../providers/serving/browser.ts";
import { servePlace } from "../providers/serving/serve-place.ts";
import { tellStory } from "./page-store.ts";

export interface PageDemoFlags {
  /** Prints the address instead of opening it. */
  print: boolean;
  port: string | undefined;
}

export async function runPageDemo({ print, port }: PageDemoFlags, io: Io): Promise<number> {
  const screen = terminal(io, { json: false });
  const folder = await mkdtemp(join(tmpdir(), "stele-demo-"));
  try {
    const [home, project] = [join(folder, "home"), join(folder, "harbour")];
    await mkdir(project);
    await screen.text("Making up three weeks of a project…");
    await tellStory({ home, project, now: systemClock.now() });
    nameHome(home);
    const serving = await startServer(servePlace(home), serveFlags(["--port", port ?? "0"]));
    // The folder is new, so nobody else serves it.
    const { server, note, ended } = serving!;
    const address = pageAddress(note.url, { code: server.issueCode(), project });
    const isShown = !print && (await showInBrowser(address));
    await screen.text(isShown ? `Opened ${note.url} in your browser.` : `${address}\n(good once, for a minute)`);
    await screen.text("Serving until Ctrl-C; then all of it is removed.");
    await ended;
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
