/**
 * Stores an event that an agent observed: a memory or a proposal, and the record of the event, in one transaction.
 *
 * The record makes it happen once: the same event in the same turn of a session is answered with what it left the first
 * time, even if that has been forgotten since.
 */
import { holding } from "../decisions/chain.ts";
import { Failure } from "../errors.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import type { Item, MemoryType, Scope } from "../memory/item.ts";
import { type PreparedMemory, prepareMemory } from "../memory/remember.ts";
import type { RoutingPreset } from "../memory/space.ts";
import { type Redaction, redactor } from "../redaction/redact.ts";
import { contentHash } from "../text/content-hash.ts";
import { cutLine } from "../text/short-text.ts";
import type { World } from "../world.ts";
import { withoutUnsaid } from "./clean-text.ts";
import type { ObservedEvent, SessionRecord } from "./session.ts";

/**
 * What becomes of an event that an agent observed: which memory it leaves, and the record that keeps it from leaving a
 * second one.
 *
 * What a session does passes with it; errors, patterns and what the person says stay; a decision waits for a person.
 */
interface Observation {
  event: ObservedEvent;
  content?: string | undefined;
  path?: string | undefined;
  output?: string | undefined;
  context?: string | undefined;
  subject?: string | undefined;
  rationale?: string | undefined;
}

interface ObservedMemory {
  type: MemoryType;
  /** Where the memory belongs; as when it is remembered if undefined. */
  scope: Scope | undefined;
  content: string;
  tags: string[];
  files: string[];
  title?: string | undefined;
  background?: string | undefined;
  rationale?: string | undefined;
}

const PATH_CHARACTERS = 1_000;
/** A long output says little that its beginning does not. */
const OUTPUT_CHARACTERS = 1_000;

const outputHead = (output: string): string => cutLine(output.trim(), OUTPUT_CHARACTERS);

/** What the content of each event is; null if it may be left out. */
const CONTENTS: Readonly<Record<ObservedEvent, string | null>> = {
  file_opened: "the file's path",
  command_executed: "the command",
  error_occurred: "the error",
  decision_made: "the decision",
  session_start: null,
  session_end: null,
  pattern_detected: "the pattern",
  user_feedback: "what the person said",
};

/** Fields that only one event has. */
const OWN_FIELDS = { output: "command_executed", subject: "decision_made", rationale: "decision_made" } as const;

/** What is wrong with an observation, in words for whoever made it, or null. */
function observationFault(observation: Observation): { message: string; hint: string } | null {
  const { event, content, path } = observation;
  const needed = CONTENTS[event];
  if (needed !== null && content === undefined && !(event === "file_opened" && path !== undefined)) {
    const hint = `Give ${needed} as \`content\`; on the command line it follows the event: \`stele observe ${event} "…"\`.`;
    return { message: `${event} needs \`content\`: ${needed}.`, hint };
  }
  for (const [field, owner] of Object.entries(OWN_FIELDS) as [keyof typeof OWN_FIELDS, ObservedEvent][]) {
    if (observation[field] === undefined || event === owner) continue;
    return { message: `${event} has no \`${field}\`; only ${owner} has.`, hint: "Put it into `context`." };
  }
  return null;
}

/** An observation without faults and without secrets. */
function observedMemory(
  observation: Observation,
  { session, preset }: { session: string; preset: RoutingPreset },
): ObservedMemory {
  const { event, content = "", path, output, context, subject: title, rationale } = observation;
  const opened = path ?? (event === "file_opened" && content.length <= PATH_CHARACTERS ? content : undefined);
  const files = opened === undefined ? [] : [opened];
  const passing = (text: string): ObservedMemory => ({
    type: "scratchpad",
    scope: "working",
    content: text,
    tags: ["auto_capture"],
    files,
    background: context,
  });
  const lasting = (type: MemoryType, scope: Scope | undefined): ObservedMemory => ({
    type,
    scope,
    content,
    tags: [type, "auto_capture"],
    files,
    background: context,
  });
  switch (event) {
    case "file_opened":
      return passing(lines(`Opened ${path ?? content}`, path === undefined ? "" : content));
    case "command_executed":
      return passing(lines(`Ran ${content}`, output === undefined ? "" : outputHead(output)));
    case "session_start":
      return passing(lines(`Session ${session} started`, content));
    case "session_end":
      return passing(lines(`Session ${session} ended`, content));
    case "error_occurred": {
      const text = lines(`Error: ${content}`, context === undefined ? "" : `Context: ${context}`);
      return { type: "bug_fix", scope: "project", content: text, tags: ["error", "bug_fix", "auto_capture"], files };
    }
    case "pattern_detected":
      return lasting("pattern", preset === "seed" ? "global" : "project");
    case "user_feedback":
      return lasting("preference", undefined);
    case "decision_made":
      // No other tag: the subject would be derived from it.
      return { ...lasting("decision", undefined), tags: [], title, rationale };
  }
}

const lines = (...parts: string[]): string => parts.filter((part) => part !== "").join("\n");

const ID_DIGITS = 32;

/** Made from session, turn and content, so that an event that is reported twice has the same id. */
function recordId(observation: Observation, { session, turn }: { session: string; turn: string }): string {
  const { event, content, path, output, context, subject, rationale } = observation;
  const said = [event, content, path, output, context, subject, rationale].map((part) => part ?? null);
  return contentHash(JSON.stringify([session, turn, ...said])).slice(0, ID_DIGITS);
}

interface Occasion extends Pick<SessionRecord, "id" | "session" | "at"> {
  turn: string;
}

/** `items` are those that the event left. */
function recordOf(observation: Observation, occasion: Occasion, items: readonly string[]): SessionRecord {
  const { event, output, ...said } = observation;
  const given = Object.entries({ ...said, output: output && outputHead(output) }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...occasion, kind: event, payload: { ...Object.fromEntries(given), items } };
}

/** The items that a noted event left. */
function itemsOf({ payload }: SessionRecord): string[] {
  const { items } = payload;
  return Array.isArray(items) ? items.filter((item) => typeof item === "string") : [];
}

interface ObserveRequest extends Observation {
  /** The number of prompts noted so far if omitted. */
  turn?: string | undefined;
}

interface Observed {
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
