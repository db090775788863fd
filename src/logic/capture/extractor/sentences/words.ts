/** Groups of words that several tables use. */
import { anyOf, raw } from "../phrases.ts";

/** From two on: what is one is not announced. */
export const NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
export const SEVERAL = anyOf(...NUMBERS, "several|some|a few");
export const COUNT = anyOf(raw`\d+`, "one", SEVERAL);
/** A commit; words of hexadecimal letters alone are none. */
export const HASH = raw`(?=[0-9a-f]*\d)[0-9a-f]{7,40}`;
/** "Already fixed in commit 4be1d07c" */
export const FIXED_IN = raw`(?:already )?(?:fixed|addressed|done|resolved|handled) in (?:commit )?\`?${HASH}\`?`;
/** A name of another branch, as git writes it. */
export const REMOTE = raw`(?:origin|upstream)\/`;
/** The mark of what is left to do. As a pattern, because in a string it would be such a mark itself. */
export const TO_DO = /todo/.source;
