/** Remember one thing. */
import * as z from "zod";
import {
  background,
  Call,
  callOf,
  language,
  priorities,
  priorityFrom,
  Redactions,
  renderRedactions,
  renderUndo,
  session,
  tags,
  timeWords,
  typedId,
} from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { shownLine } from "../../text/short-text.ts";
import { lineText, shortText, Text } from "../../text/text.ts";
import { readMoment } from "../../time/read-time.ts";
import { handleOf, withHandle } from "../handles.ts";
import { identity, MemoryType, MemoryTypeInput, Scope, Source } from "../item.ts";
import { Near } from "../near-pair.ts";
import { remember } from "../remember.ts";
import { nearLine, renderNear } from "../show-near.ts";

export default defineOperation({
  name: "remember",
  group: "memory",
  summary:
    "Remember one thing: a fact, preference, convention, fix or gotcha that a later session should know. " +
    "Identical content is kept once. A decision becomes a proposal for a person to ratify.",
  effect: "write",
  repeatable: true,
  input: z.object({
    content: Text.describe("What to remember, in a sentence or two. Secrets are removed."),
    type: MemoryTypeInput.default("fact").describe("What kind of thing it is."),
    scope: Scope.optional().describe(
      "working (this hour), project or global; chosen from content and type when omitted.",
    ),
    title: lineText(200).optional().describe("A short name; for a decision its subject, derived when omitted."),
    background: background.optional().describe("How it came about or why it matters; searched like the content."),
    tags: tags.default([]).describe("Tags to find it by; temp, project and global choose the scope."),
    ...priorities,
    confidence: z.number().min(0).max(1).optional().describe("Confidence, 0 to 1; 1 when omitted."),
    pinned: z.boolean().default(false).describe("Never fades."),
    ttlSeconds: z.int().min(1).max(31_536_000).optional().describe("Lifetime in seconds, after which it expires."),
    expiresAt: timeWords.optional().describe('When it expires, such as "in two weeks", instead of a lifetime.'),
    supersedes: typedId.optional().describe("Id or handle of the memory this replaces."),
    relates: z.array(typedId).max(20).default([]).describe("Ids or handles of memories it relates to."),
    files: z.array(shortText(1_000)).max(200).default([]).describe("Related files."),
    symbols: z.array(shortText(500)).max(200).default([]).describe("Related functions, classes or other names."),
    language: language.optional().describe("Programming language; that of most of the files when omitted."),
    session: session.optional().describe("Session it belongs to; the host's session when omitted."),
    compare: z.boolean().default(true).describe("Reports what it is near; false for bulk."),
    source: Source.optional().describe("Where it comes from."),
  }),
  output: z.object({
    status: z.enum(["stored", "duplicate", "proposed"]),
    ...identity,
    scope: Scope,
    type: MemoryType,
    reason: z.string().describe("Why this scope was chosen."),
    confidence: z.number().describe("Confidence in the choice of scope."),
    replaced: z.string().nullable().describe("Id of the memory it replaced."),
    related: z.array(z.string()).describe("Ids of the memories it was now related to."),
    call: Call,
    redactions: Redactions,
    near: z.array(Near).max(3).describe("Older items that are probably about the same thing."),
  }),
  tool: {
    summary:
      "Remember one thing that a later session should know, as a note: a fact, preference, convention, fix, gotcha. Identical content is kept once; a decision becomes a proposal.",
    fields: ["content", "type", "scope", "tags", "supersedes", "files"],
  },
  cli: {
    completes: { supersedes: "memory", relates: "memory", tags: "tag" },
    positional: ["content"],
    examples: [
      'stele remember "The user prefers dark mode" --type preference',
      'stele remember "Deploys need VPN" --type gotcha --tags deploy --tags ops',
      'stele remember "Postgres 16 now" --supersedes 7fd436b5',
      'stele remember "Its pool holds 20 connections" --relates 7fd436b5',
      "git log -1 --format=%B | stele remember -",
    ],
  },
  run: async ({ files, symbols, language, priority, importance, weight, expiresAt, ...input }, world) => {
    const { isOnRecord, ...answer } = await remember(
      {
        ...input,
        priority: priorityFrom({ priority, importance, weight }) ?? 5,
        expiresAt: await readMoment(expiresAt, "any", world),
        context: { files, symbols, language },
      },
      world,
    );
    return { ...withHandle(answer), call: callOf(isOnRecord, world) };
  },
  render: ({ status, handle, scope, type, reason, replaced, related, call, redactions, near }, { zone }) => {
    const done = [
      ...(replaced ? [`it now replaces ${handleOf(replaced)}`] : []),
      ...(related.length > 0 ? [`it is now related to ${related.map(handleOf).join(", ")}`] : []),
    ];
    // A new memory says so by itself; of a known one nobody would expect it.
    const known = status === "duplicate" && done.length > 0 ? `; ${done.join(", and ")}.${renderUndo(call)}` : "";
    return `${OUTCOMES[status]}: ${handle} (${type}, ${scope}: ${reason})${known}${renderRedactions(redactions)}${renderNear(near, handle, zone)}`;
  },
  // Of a known memory nothing is written; the answer says so.
  renderDryRun: ({ status, scope, type, reason, replaced, redactions, near }, changes = []) => {
    if (status === "duplicate") return "";
    const kept = changes.flatMap((change) => (change.kind === "insert_item" ? [change.item] : []));
    return [
      `${WOULD[status]} (${type}, ${scope}: ${reason}):`,
      ...kept.map(({ content }) => `  ${shownLine(content, CONTENT_CHARACTERS)}`),
      ...kept.flatMap(({ tags }) => (tags.length > 0 ? [`Tags: ${tags.join(", ")}.`] : [])),
      ...(replaced ? [`It would replace ${handleOf(replaced)}.`] : []),
      ...(redactions.length > 0 ? [renderRedactions(redactions).trim()] : ["Nothing in it looks like a secret."]),
      ...near.map((one) => nearLine(one)),
    ].join("\n");
  },
  renderForAgent: ({ status, handle, scope, type, redactions, near }, { zone }) =>
    `${OUTCOMES[status]}: ${handle} (${type}, ${scope})${renderRedactions(redactions)}${renderNear(near, handle, zone, { settle: "settle" })}`,
});

const OUTCOMES = { stored: "Remembered", duplicate: "Already known", proposed: "Proposed, pending ratification" };
const WOULD = { stored: "Would remember", proposed: "Would propose, pending ratification" };
const CONTENT_CHARACTERS = 400;
