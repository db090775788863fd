/** The part of a memory that is compared with others: its summary and content. */
import type { Item } from "../../model/memory/item.ts";
import { tellingStems } from "../text/words.ts";

/** Longer texts are compared by their beginning: reading more would hold up other work. */
export const COMPARED_CHARACTERS = 20_000;

type Compared = Pick<Item, "summary" | "content">;

export const comparedText = ({ summary, content }: Compared): string =>
  `${summary}\n${content.slice(0, COMPARED_CHARACTERS)}`;

/** Its significant words. */
export const comparedWords = (memory: Compared): ReadonlySet<string> => tellingStems(comparedText(memory));
