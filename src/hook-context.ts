/**
 * Answers a hook with memory for its session: the surface at its start, recalled items with a prompt.
 *
 * It opens the stores and has little time for that: after its deadline, and whenever anything is wrong with a store, it
 * says nothing. It uses a model that a server offers, and never loads one.
 */
import { writeSync } from "node:fs";
import { openWorld } from "./app/compose.ts";
import type { Config } from "./app/config.ts";
import { configure } from "./app/configure.ts";
import { inTime } from "./engine/care/in-time.ts";
import { hookAnswer } from "./logic/context/hook-answer.ts";
import type { ContextRequest } from "./model/context/context-request.ts";
import type { Log, World } from "./ports/world.ts";

const SILENT: Log = { debug: () => undefined, warn: () => undefined };
/** How much of the time at the start may go into taking in what earlier sessions left. */
const DIGEST_SHARE = 0.5;

/** Returns the exit code of the process. */
export async function main(request: ContextRequest): Promise<number> {
  const { context } = await configure({});
  const deadlineMs = request.event === "prompt" ? context.promptMs : context.startMs;
  // Counted from the start of the process: that is what the host waits for.
  const left = () => Math.max(0, deadlineMs - performance.now());
  const work = openWorld({ host: "hook", project: request.project, session: request.session, log: SILENT });
  const opened = await inTime(work, left());
  if (opened === null) return 0;
  const world = quickWorld(opened.world);
  const text = await inTime(contextFor(request, context, left, world), left());
  const answer = text === null ? null : hookAnswer(request.host, request.event, text);
  if (answer !== null) writeSync(1, answer);
  await inTime(opened.close(), left());
  return 0;
}

async function contextFor(
  { id, event, session, text }: ContextRequest,
  { promptTokens }: Config["context"],
  left: () => number,
  world: World,
): Promise<string | null> {
  const isLate = () => left() === 0;
  if (event === "prompt") {
    const { contextForPrompt } = await import("./engine/context/inject-for-prompt.ts");
    return text === null ? null : contextForPrompt({ session, prompt: text, mostTokens: promptTokens, isLate }, world);
  }
  await takeIn(id, left() * DIGEST_SHARE, world);
  const { contextAtStart } = await import("./engine/context/inject-at-start.ts");
  return contextAtStart({ session, source: text, isLate }, world);
}

/** Nothing that a verb may do on the side: no request, no notes, no backlog of passages. A hook's model is borrowed. */
const quickWorld = (world: World): World => ({
  ...world,
  remoteEmbedder: null,
  notes: null,
  settings: { ...world.settings, recall: { ...world.settings.recall, drainPassages: 0 } },
});

/** What earlier sessions left, if they left anything besides this report. The digester is loaded only then. */
async function takeIn(ownReport: string, mostMs: number, world: World): Promise<void> {
  const waiting = await world.spool.list(2);
  const isNew = waiting.some((name) => !name.startsWith(ownReport));
  if (!isNew && (await world.project.openCheckpoints(Infinity, 1)).length === 0) return;
  const until = performance.now() + mostMs;
  const isStopped = () => performance.now() >= until;
  const { digest } = await import("./engine/capture/digest.ts");
  await inTime(digest(world, { isStopped, patienceMs: mostMs }), mostMs);
}
