/**
 * Stores an event that an agent observed: a memory or a proposal, and the record of the event, in one transaction.
 *
 * The record makes it happen once: the same event in the same turn of a session is answered with what it left the first
 * time, even if that has been forgotten since.
 */
import { Failure } from "../../errors.ts";
import {
  type Observation,
  itemsOf,
  observationFault,
  observedMemory,
  outputHead,
  recordId,
  recordOf,
} from "../../logic/capture/observe-plan.ts";
import { withoutUnsaid } from "../../logic/capture/unsaid-text.ts";
import { holding } from "../../logic/decisions/decision-chain.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Item } from "../../model/memory/item.ts";
import type { World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";
import { type PreparedMemory, prepareMemory } from "../memory/remember.ts";
import { type Redaction, redactor } from "../redaction/redact.ts";

export interface ObserveRequest extends Observation {
  /** The number of prompts noted so far if omitted. */
  turn?: string | undefined;
}

export interface Observed {
  status: "stored" | "duplicate" | "proposed";
  /** What the event left, now or the first time. */
  ids: string[];
  /** What was done, by name. */
  actions: string[];
  isOnRecord: boolean;
  redactions: Redaction[];
}

type Outcome = Omit<Observed, "redactions">;

export async function observe({ turn: given, ...said }: ObserveRequest, world: World): Promise<Observed> {
  const fault = observationFault(said);
  if (fault) throw new Failure("invalid_input", fault.message, fault.hint);
  const { clean, redactions } = redactor();
  const observation = cleaned(said, (text) => clean(withoutUnsaid(text)));
  const left = observationFault(observation);
  if (left) throw new Failure("invalid_input", "Nothing is left of it without its private part.", left.hint);
  const { session } = world.origin;
  const turn = given === undefined ? await promptsIn(session, world) : clean(given);
  const id = recordId(observation, { session, turn });
  const { files, ...memory } = observedMemory(observation, { session, preset: world.settings.routing.preset });
  const prepared = await prepareMemory({ ...memory, source: "system_auto", context: { files } }, world);
  const answer = await commit<Outcome>(
    prepared.store,
    async (attempt) => {
      const [noted] = await prepared.store.events({ ids: [id], limit: 1 });
      if (noted) return { changes: [], answer: { ...NOTHING_DONE, ids: itemsOf(noted) } };
      const { changes, answer } = await planned(prepared, observation, attempt, world);
      const occasion = { id, session, turn, at: world.clock.now() };
      const event = recordOf(observation, occasion, answer.ids);
      // First, so that an event that somebody else has just noted is refused before anything is written.
      return { changes: [{ kind: "note_event", event }, ...changes], answer };
    },
    world,
  );
  return { ...answer, redactions: redactions() };
}

const NOTHING_DONE = { status: "duplicate", actions: [], isOnRecord: false } as const satisfies Partial<Observed>;

/** More reports than this wait only where nobody digests. */
const SPOOLED_MOST = 1_000;

/** Counts prompts that wait in the spool too: otherwise the turn would depend on when they are digested. */
async function promptsIn(session: string, { project, spool }: Pick<World, "project" | "spool">): Promise<string> {
  const waiting: string[] = [];
  for (const name of await spool.list(SPOOLED_MOST)) {
    const report = await spool.read(name);
    if (report?.session === session && report.event === "prompt") waiting.push(report.id);
  }
  const noted = await project.eventCount({ session, kinds: ["prompt"] });
  const known = await project.knownEvents(waiting);
  return String(noted + waiting.filter((id) => !known.has(id)).length);
}

/** Cut text is cleaned again, because a new end can turn a harmless text into a secret. */
function cleaned({ event, output, ...texts }: Observation, clean: (text: string) => string): Observation {
  const entries = Object.entries(texts).flatMap(([name, text]) => {
    const left = text === undefined ? "" : clean(text).trim();
    return left === "" ? [] : [[name, left]];
  });
  return { event, ...Object.fromEntries(entries), output: output && clean(outputHead(clean(output))) };
}

async function planned(
  memory: PreparedMemory,
  observation: Observation,
  attempt: number,
  world: Pick<World, "project" | "clock">,
): Promise<{ changes: Change[]; answer: Outcome }> {
  const held = memory.draft.type === "decision" ? await alreadyHeld(memory, observation, world) : null;
  if (held) return { changes: [], answer: { ...NOTHING_DONE, ids: [held.id], actions: ["noted_event"] } };
  const { changes, answer } = await memory.plan(attempt);
  const { status, id, type, isOnRecord } = answer;
  const done = status === "duplicate" ? [] : [`${status}_${type}`];
  return { changes, answer: { status, ids: [id], actions: [...done, "noted_event"], isOnRecord } };
}

/** The same decision, if it holds already: it need not be proposed again. */
async function alreadyHeld(
  { draft: { hash } }: PreparedMemory,
  { subject }: Observation,
  { project, clock }: Pick<World, "project" | "clock">,
): Promise<Item | null> {
  const equal = await project.sameContent("decision", "project", hash);
  return holding(equal ? [equal] : [], clock.now(), subject ?? null)[0] ?? null;
}
