/**
 * The demo of the page: a made-up project in a temporary data folder, served until Ctrl-C.
 *
 * Whoever runs it may open the page, an agent too: what it shows is made up, and gone when it ends.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startServer } from "../app/compose-serve.ts";
import { openWorld } from "../app/compose.ts";
import { nameHome } from "../app/environment.ts";
import { contextAtStart } from "../briefing/inject-at-start.ts";
import { contextForPrompt } from "../briefing/inject-for-prompt.ts";
import { catalog, type Operations } from "../catalog/catalog.ts";
import { dispatch } from "../catalog/dispatch.ts";
import { type Io, terminal } from "../cli/terminal.ts";
import { showInBrowser } from "../http/browser.ts";
import { pageAddress } from "../http/page-files.ts";
import { serveFlags } from "../http/serve-flags.ts";
import { servePlace } from "../http/serve-place.ts";
import { systemClock } from "../machine/clock.ts";
import { FILES, type Step, STORY, type Visit, VISITS } from "./page-story.ts";

/** Tells the story to a store, each step at its own time, through the same verbs as everybody else. */
const HOUR_MS = 3_600_000;
/** Nobody waits for the demo's hooks. */
const HANDED_TOKENS = 400;

interface DemoPlace {
  home: string;
  project: string;
  now: number;
}

export async function tellStory({ home, project, now }: DemoPlace): Promise<void> {
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(project, name)), { recursive: true });
    await writeFile(join(project, name), text);
  }
  const ids = new Map<string, string>();
  let at = now;
  const opening = { home, project, clock: { now: () => at }, settings: { log: { level: "silent" } } };
  for (const stretch of stretches([...STORY, ...VISITS])) {
    const { host, session } = stretch[0]!;
    await inWorld({ ...opening, host, session }, async (world) => {
      for (const event of stretch) {
        at = now - event.hoursAgo * HOUR_MS;
        if ("verb" in event) await take(event, ids, world);
        else await visit(event, world);
      }
    });
  }
  at = now;
  await inWorld({ ...opening, host: "cli", session: "" }, async (world) => {
    for (const verb of ["index", "maintain"] as const) await dispatch(await catalog.load(verb), {}, world);
  });
}

/** Events in order of time, those of one session together. */
function stretches(events: readonly (Step | Visit)[]): (Step | Visit)[][] {
  const found: (Step | Visit)[][] = [];
  for (const event of events.toSorted((one, two) => two.hoursAgo - one.hoursAgo)) {
    const last = found.at(-1);
    if (last?.[0]?.session === event.session && last[0].host === event.host) last.push(event);
    else found.push([event]);
  }
  return found;
}

async function inWorld(options: Parameters<typeof openWorld>[0], work: (world: World) => Promise<void>): Promise<void> {
  const { world, close } = await openWorld(options);
  try {
    await work(world);
  } finally {
    await close();
  }
}

type World = Awaited<ReturnType<typeof openWorld>>["world"];

async function take({ verb, input, name, host }: Step, ids: Map<string, string>, world: World): Promise<void> {
  const known = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(known)
      : typeof value === "string" && value.startsWith("$")
        ? (ids.get(value.slice(1)) ?? value)
        : value;
  const filled = Object.fromEntries(Object.entries(input).map(([field, value]) => [field, known(value)]));
  const origin = { ...world.origin, byAgent: host !== "cli" };
  // The person in the story agrees to what they are asked.
  const ask = async () => ({ action: "accept", values: { ratify: true } }) as const;
  const op = await catalog.load(verb as keyof Operations);
  const { answer } = await dispatch(op, filled, { ...world, origin }, host === "cli" ? { ask } : {});
  const { id } = answer as { id?: string };
  if (name !== undefined && id !== undefined) ids.set(name, id);
}

async function visit({ session, prompts }: Visit, world: World): Promise<void> {
  const isLate = () => false;
  await contextAtStart({ report: `start-${session}`, session, source: "startup", isLate }, world);
  for (const [index, prompt] of prompts.entries())
    await contextForPrompt(
      { report: `prompt-${session}-${index}`, session, prompt, transcript: null, mostTokens: HANDED_TOKENS, isLate },
      world,
    );
}

interface PageDemoFlags {
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
