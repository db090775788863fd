/**
 * What becomes of an event that an agent observed: which memory it leaves, and the record that keeps it from leaving a
 * second one.
 *
 * What a session does passes with it; errors, patterns and what the person says stay; a decision waits for a person.
 */
import type { ObservedEvent, SessionRecord } from "../../model/capture/session-record.ts";
import type { Scope } from "../../model/memory/item.ts";
import type { MemoryType } from "../../model/memory/memory.ts";
import type { RoutingPreset } from "../../model/memory/routing.ts";
import { cutLine } from "../../model/text/cut.ts";
import { contentHash } from "../text/content-hash.ts";

export interface Observation {
  event: ObservedEvent;
  content?: string | undefined;
  path?: string | undefined;
  output?: string | undefined;
  context?: string | undefined;
  subject?: string | undefined;
  rationale?: string | undefined;
}

export interface ObservedMemory {
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

export const outputHead = (output: string): string => cutLine(output.trim(), OUTPUT_CHARACTERS);

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
export function observationFault(observation: Observation): { message: string; hint: string } | null {
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
export function observedMemory(
  observation: Observation,
  { session, preset }: { session: string; preset: RoutingPreset },
): ObservedMemory {
  const { event, content = "", path, output, context, subject: title, rationale } = observation;
  const opened = path ?? (event === "file_opened" && content.length <= PATH_CHARACTERS ? content : undefined);
  const files = opened === undefined ? [] : [opened];
  const passing = (text: string): ObservedMemory => ({
    ...{ type: "scratchpad", scope: "working", content: text, tags: ["auto_capture"], files, background: context },
  });
  const lasting = (type: MemoryType, scope: Scope | undefined): ObservedMemory => ({
    ...{ type, scope, content, tags: [type, "auto_capture"], files, background: context },
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
      return {
        ...{ type: "bug_fix", scope: "project" },
        content: text,
        tags: ["error", "bug_fix", "auto_capture"],
        files,
      };
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
export function recordId(observation: Observation, { session, turn }: { session: string; turn: string }): string {
  const { event, content, path, output, context, subject, rationale } = observation;
  const said = [event, content, path, output, context, subject, rationale].map((part) => part ?? null);
  return contentHash(JSON.stringify([session, turn, ...said])).slice(0, ID_DIGITS);
}

export interface Occasion extends Pick<SessionRecord, "id" | "session" | "at"> {
  turn: string;
}

/** `items` are those that the event left. */
export function recordOf(observation: Observation, occasion: Occasion, items: readonly string[]): SessionRecord {
  const { event, output, ...said } = observation;
  const given = Object.entries({ ...said, output: output && outputHead(output) }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...occasion, kind: event, payload: { ...Object.fromEntries(given), items } };
}

/** The items that a noted event left. */
export function itemsOf({ payload }: SessionRecord): string[] {
  const { items } = payload;
  return Array.isArray(items) ? items.filter((item) => typeof item === "string") : [];
}
