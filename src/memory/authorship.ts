/**
 * Authorship: whether a person wrote a memory by hand.
 *
 * The source alone does not tell, because an agent may state any. What comes through MCP, or from a shell that an agent
 * runs, is the agent's, unless a person agreed to it.
 */
import { redact } from "../redaction/rules/redaction.ts";
import type { World } from "../world.ts";
import type { Provenance } from "./item-changes.ts";
import type { Item, Revision, Source } from "./item.ts";
import { type Speaker, SPEAKER_OF } from "./speakers.ts";

/** The mark, among the details of a memory, of what an agent wrote in a shell of its own. */
export const BY_AGENT = "byAgent";

/** The mark of what a person agreed to word for word, whoever suggested it. */
export const AGREED = "agreed";

/** The mark of a person's text that an agent has reworded in place: no longer theirs word for word, but still wanted. */
export const REWORDED = "reworded";

export interface Author extends Pick<Item, "source" | "host"> {
  byAgent: boolean;
  agreed?: boolean;
  reworded?: boolean;
}

const PERSONAL: ReadonlySet<Source> = new Set(["user_explicit", "manual"]);
const INFERRED: ReadonlySet<Source> = new Set(["ai_inferred", "system_auto", "extraction"]);

export const isByHand = ({ source, host, byAgent, agreed = false }: Author): boolean =>
  PERSONAL.has(source) && (agreed || (host !== "mcp" && !byAgent));

/** Inferred or extracted, or claimed to be a person's by an agent. Notes and descriptions of code are neither. */
export const isInferred = (author: Author): boolean =>
  INFERRED.has(author.source) || (PERSONAL.has(author.source) && !isByHand(author));

/** Whether a person wrote it or what it was made of. Nobody else folds it, and it does not fade away. */
export const isPersons = (author: Author): boolean => isByHand(author) || author.reworded === true;

/** Whether an agent wrote it: through MCP, or in a shell of its own. Nobody knows who wrote a file that a server indexed. */
export const isByAgent = ({ source, host, byAgent, agreed = false }: Author): boolean =>
  source !== "file-index" && !agreed && (byAgent || host === "mcp");

export const whoSaid = (author: Author): Speaker => (isByAgent(author) ? "agent" : SPEAKER_OF[author.source]);

export const authorOf = ({ source, host, details }: Pick<Item, "source" | "host" | "details">): Author => ({
  source,
  host,
  byAgent: details[BY_AGENT] === true,
  agreed: details[AGREED] === true,
  reworded: details[REWORDED] === true,
});

/** The details of an item if this author writes it. */
export function detailsBy(byAgent: boolean, { details }: Pick<Item, "details">): Item["details"] {
  const { [BY_AGENT]: _, [AGREED]: __, [REWORDED]: ___, ...rest } = details;
  return byAgent ? { ...rest, [BY_AGENT]: true } : rest;
}

/** The details of an item if a person agrees to it. */
export const detailsAgreed = (item: Pick<Item, "details">): Item["details"] => ({
  ...detailsBy(false, item),
  [AGREED]: true,
});

type Authorship = Pick<Revision, "source" | "host" | "details">;

/** What a person says in their own words, or brings back, becomes theirs, even if an agent said it first. */
export function adoption(item: Item, author: Author): Authorship {
  if (!isByHand(author) || !isInferred(authorOf(item))) return {};
  return { source: author.source, host: author.host, details: detailsBy(false, item) };
}

/** A text that is changed in place is by whoever changed it. */
export function rewording(item: Item, author: Author): Authorship {
  const former = authorOf(item);
  if (isByHand(author) || !isByHand(former)) return adoption(item, author);
  const details = { ...detailsBy(author.byAgent, item), [REWORDED]: true };
  return { source: author.source, host: author.host, details };
}

/** When, where and by whom an item is created. */
export function provenanceIn({ ids, clock, origin }: Pick<World, "clock" | "ids" | "origin">): Provenance {
  return { id: ids.next(), now: clock.now(), origin };
}

export function contextOf({ place }: Pick<World, "place">): Pick<Item, "context" | "details"> {
  const branch = place.branch();
  return {
    context: {
      branch: branch === null ? null : redact(branch).text,
      commits: [],
      files: [],
      symbols: [],
      language: null,
    },
    details: { space: place.spaceId },
  };
}

/** The default source of a memory: a person, or an agent if it comes through MCP or from an agent's shell. */
export function sourceFor({ origin }: Pick<World, "origin">): Source {
  return origin.host === "mcp" || origin.byAgent ? "ai_inferred" : "user_explicit";
}
