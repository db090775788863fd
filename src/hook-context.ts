/**
 * Answers a hook with memory for its session: the surface at its start, what is recalled with a prompt, and after a failed
 * tool how an earlier session got over the error.
 *
 * It opens the stores and has little time for that: after its deadline, and whenever anything is wrong with a store, it
 * says nothing. It uses a model that a server offers, and never loads one.
 */
import { accessSync, constants, writeSync } from "node:fs";
import { openWorld } from "./app/compose.ts";
import type { Config } from "./app/config.ts";
import { configure } from "./app/configure.ts";
import { homeFolder } from "./app/environment.ts";
import { type ContextRequest, hookAnswer } from "./briefing/hook-answer.ts";
import { inTime } from "./maintenance/lease.ts";
import { errorSignature } from "./sessions/errors.ts";
import { faultName, logHook } from "./sessions/hook-log.ts";
import type { Log, World } from "./world.ts";

const SILENT: Log = { debug: () => undefined, warn: () => undefined };
/** How much of the time at the start may go into taking in what earlier sessions left. */
const DIGEST_SHARE = 0.5;
/** How much of the time may be spent on a borrowed model; its owner may be busy, or load it again. Then words must do. */
const MODEL_SHARE = 0.5;

/** Returns the exit code of the process. */
export async function main(request: ContextRequest): Promise<number> {
  // Nothing could be noted as given there, and reading would take a copy of the whole store.
  if (!isWritable(homeFolder())) return 0;
  const { context } = await configure({});
  const deadlineMs = request.event === "session_start" ? context.startMs : context.promptMs;
  // Counted from the start of the process: that is what the host waits for.
  const left = () => Math.max(0, deadlineMs - performance.now());
  const { project, session } = request;
  // Most failures tell nothing, and then no store is opened.
  if (request.event === "failure" && errorSignature(request.text ?? "") === null) return 0;
  const work = openWorld({ host: "hook", project, session, log: SILENT, reads: true });
  const opened = await inTime(work, left());
  if (opened === null) return late(deadlineMs);
  // What a session is handed on its way is noted, so that it is not handed again; there it could not be.
  const isMute = opened.isBlank && request.event !== "session_start";
  const world = quickWorld(opened.world, left() * MODEL_SHARE);
  const text = isMute ? null : await inTime(contextFor(request, context, left, world), left());
  // Closing would commit what is waiting, and count as given what nobody gets.
  if (text === null && left() === 0) return late(deadlineMs);
  const answer = text === null ? null : hookAnswer(request.host, request.event, text);
  if (answer !== null) print(answer);
  await inTime(opened.close(), left());
  return 0;
}

/** The host goes on without an answer; whoever misses one finds out why. */
function late(deadlineMs: number): number {
  logHook(homeFolder, `No answer within ${deadlineMs} ms.`);
  return 0;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A pipe may take less than all of it at once, and half an answer is not valid. */
function print(text: string): void {
  for (let rest = Buffer.from(text); rest.length > 0; ) rest = rest.subarray(writeSync(1, rest));
}

async function contextFor(
  { id, event, session, text, transcript }: ContextRequest,
  { promptTokens }: Config["context"],
  left: () => number,
  world: World,
): Promise<string | null> {
  const isLate = () => left() === 0;
  if (event === "prompt") {
    const { contextForPrompt } = await import("./briefing/inject-for-prompt.ts");
    return text === null
      ? null
      : contextForPrompt({ report: id, session, prompt: text, transcript, mostTokens: promptTokens, isLate }, world);
  }
  if (event === "failure") {
    const { contextAfterFailure } = await import("./briefing/inject-after-failure.ts");
    return text === null ? null : contextAfterFailure({ report: id, session, text, isLate }, world);
  }
  // What cannot be taken in does not keep the session from what is known.
  await takeIn(id, left() * DIGEST_SHARE, world).catch((thrown: unknown) =>
    logHook(homeFolder, `Earlier sessions were not taken in: ${faultName(thrown)}.`),
  );
  const { contextAtStart } = await import("./briefing/inject-at-start.ts");
  return contextAtStart({ report: id, session, source: text, isLate }, world);
}

/** Nothing that a verb may do on the side: no request, no notes, no backlog of passages. A hook's model is borrowed. */
function quickWorld(world: World, mostWaitMs: number): World {
  const { recall, ...others } = world.settings;
  const modelWaitMs = Math.min(recall.modelWaitMs, mostWaitMs);
  const settings = { ...others, recall: { ...recall, modelWaitMs, drainPassages: 0 } };
  return { ...world, remoteEmbedder: null, notes: null, settings };
}

/** What earlier sessions left, if they left anything besides this report. The digester is loaded only then. */
async function takeIn(ownReport: string, mostMs: number, world: World): Promise<void> {
  if (await world.spool.isReader()) return;
  const waiting = await world.spool.list(2);
  const isNew = waiting.some((name) => !name.startsWith(ownReport));
  if (!isNew && (await world.project.openCheckpoints(Infinity, 1)).length === 0) return;
  const until = performance.now() + mostMs;
  const isStopped = () => performance.now() >= until;
  const { digest } = await import("./sessions/digest.ts");
  await inTime(digest(world, { isStopped, patienceMs: mostMs }), mostMs);
}
