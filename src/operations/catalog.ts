/**
 * The catalog: every verb, once, in the order in which people meet them.
 *
 * Exposure is decided here and nowhere else: which verbs an MCP client sees by default, and
 * what it is told about them. No host knows a verb by name.
 */
import audit from "./audit.ts";
import backfill from "./backfill.ts";
import backup from "./backup.ts";
import check from "./check.ts";
import decisions from "./decisions.ts";
import describeCode from "./describe-code.ts";
import evidence from "./evidence.ts";
import exportItems from "./export.ts";
import forget from "./forget.ts";
import get from "./get.ts";
import importAdr from "./import-adr.ts";
import importItems from "./import.ts";
import indexFiles from "./index.ts";
import inspect from "./inspect.ts";
import list from "./list.ts";
import log from "./log.ts";
import maintain from "./maintain.ts";
import type { AnyOperation } from "./operation.ts";
import promote from "./promote.ts";
import proposals from "./proposals.ts";
import propose from "./propose.ts";
import ratify from "./ratify.ts";
import recall from "./recall.ts";
import reject from "./reject.ts";
import related from "./related.ts";
import remember from "./remember.ts";
import restore from "./restore.ts";
import rollback from "./rollback.ts";
import searchCode from "./search-code.ts";
import searchDocs from "./search-docs.ts";
import update from "./update.ts";
import why from "./why.ts";

/** By name, for the library's types. */
export const operations = {
  remember,
  recall,
  get,
  list,
  update,
  forget,
  promote,
  describe_code: describeCode,
  propose,
  proposals,
  ratify,
  reject,
  decisions,
  why,
  log,
  evidence,
  import_adr: importAdr,
  index: indexFiles,
  search_docs: searchDocs,
  search_code: searchCode,
  related,
  check,
  audit,
  rollback,
  backup,
  restore,
  export: exportItems,
  import: importItems,
  backfill,
  maintain,
  inspect,
} as const;

export const catalog = Object.values(operations) as unknown as readonly AnyOperation[];

export const DEFAULT_TOOLS: readonly string[] = [
  ...["remember", "recall", "get", "forget", "propose", "decisions", "search_docs", "search_code"],
];

export const GUIDANCE = [
  "Stele is the memory of this project and of the person you work for. It is local and private.",
  "Recall at the start of a task, before choosing an approach, and whenever something may have been said before; hits carry a relevance from 0 to 1, and below 0.35 they are guesses.",
  "A hit's history lists what it replaced; do not act on those. A hit marked unratified is only a proposal.",
  "Ask decisions what holds before you choose an approach. What you and the person settle, propose; only a person ratifies.",
  "Remember what a later session should know: preferences, conventions, fixes, gotchas, facts that took effort to find. One thing at a time, in plain words. Not: what the code itself says, secrets, chatter.",
  "When something remembered is wrong, remember the correction with `supersedes` set to the old id, or forget it.",
].join("\n");
