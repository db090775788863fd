/**
 * The catalog: every verb, once, in the order in which help lists them.
 *
 * Exposure is decided here and nowhere else: which verbs an MCP client sees by default, and
 * what guidance it gets. No host knows a verb by name. A verb is loaded on first use.
 */
import { type AnyOperation, type Catalog } from "./operation.ts";

const VERBS = {
  remember: async () => (await import("./memory/remember.ts")).default,
  recall: async () => (await import("./recall/recall.ts")).default,
  get: async () => (await import("./memory/get.ts")).default,
  list: async () => (await import("./memory/list.ts")).default,
  update: async () => (await import("./memory/update.ts")).default,
  forget: async () => (await import("./memory/forget.ts")).default,
  promote: async () => (await import("./memory/promote.ts")).default,
  link: async () => (await import("./graph/link.ts")).default,
  unlink: async () => (await import("./graph/unlink.ts")).default,
  traverse: async () => (await import("./graph/traverse.ts")).default,
  related: async () => (await import("./graph/related.ts")).default,
  describe_code: async () => (await import("./memory/describe-code.ts")).default,
  summarize: async () => (await import("./care/summarize.ts")).default,
  propose: async () => (await import("./decisions/propose.ts")).default,
  proposals: async () => (await import("./decisions/proposals.ts")).default,
  ratify: async () => (await import("./decisions/ratify.ts")).default,
  reject: async () => (await import("./decisions/reject.ts")).default,
  decisions: async () => (await import("./decisions/decisions.ts")).default,
  why: async () => (await import("./decisions/why.ts")).default,
  log: async () => (await import("./decisions/log.ts")).default,
  evidence: async () => (await import("./decisions/evidence.ts")).default,
  import_adr: async () => (await import("./decisions/import-adr.ts")).default,
  index: async () => (await import("./corpus/index.ts")).default,
  search_docs: async () => (await import("./corpus/search-docs.ts")).default,
  search_code: async () => (await import("./corpus/search-code.ts")).default,
  check: async () => (await import("./corpus/check.ts")).default,
  observe: async () => (await import("./capture/observe.ts")).default,
  extract: async () => (await import("./capture/extract.ts")).default,
  surface: async () => (await import("./context/surface.ts")).default,
  pause: async () => (await import("./capture/pause.ts")).default,
  resume: async () => (await import("./capture/resume.ts")).default,
  audit: async () => (await import("./journal/audit.ts")).default,
  rollback: async () => (await import("./journal/rollback.ts")).default,
  backup: async () => (await import("./care/backup.ts")).default,
  restore: async () => (await import("./care/restore.ts")).default,
  export: async () => (await import("./transfer/export.ts")).default,
  import: async () => (await import("./transfer/import.ts")).default,
  consolidate: async () => (await import("./care/consolidate.ts")).default,
  merge: async () => (await import("./care/merge.ts")).default,
  backfill: async () => (await import("./care/backfill.ts")).default,
  maintain: async () => (await import("./care/maintain.ts")).default,
  inspect: async () => (await import("./care/inspect.ts")).default,
} as const;

/** Types by verb name, for the library. */
export type Operations = { [Name in keyof typeof VERBS]: Awaited<ReturnType<(typeof VERBS)[Name]>> };

export const catalog: Catalog<keyof Operations> = {
  names: Object.keys(VERBS) as (keyof Operations)[],
  load: async (name) => (await VERBS[name]()) as unknown as AnyOperation,
};

export const DEFAULT_TOOLS: readonly string[] = [
  ...["remember", "recall", "get", "forget", "propose", "decisions", "search_docs", "search_code", "observe"],
];

export const GUIDANCE = [
  "Stele is the memory of this project and of the person you work for. It is local and private.",
  "Recall at the start of a task, before choosing an approach, and whenever something may have been said before; hits carry a relevance from 0 to 1, and below 0.35 they are guesses.",
  "A hit's history lists outdated versions; do not act on them. A hit marked unratified is only a proposal.",
  "Call decisions before you choose an approach. Propose whatever you and the person settle on; only a person can ratify it.",
  "Remember what a later session should know: preferences, conventions, fixes, gotchas, facts that took effort to find. One thing at a time, in plain words. Do not store secrets, small talk, or what the code already says.",
  "When something remembered is wrong, remember the correction with `supersedes` set to the old id, or forget it.",
].join("\n");
