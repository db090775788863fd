/** Groups of words that several tables use. */
import { anyOf, raw } from "../phrases.ts";

export const COUNT = anyOf(raw`\d+`, "one|two|three|four|five|six|seven|eight|nine|ten|several|some");
/** A commit; words of hexadecimal letters alone are none. */
export const HASH = raw`(?=[0-9a-f]*\d)[0-9a-f]{7,40}`;
/** A name of another branch, as git writes it. */
export const REMOTE = raw`(?:origin|upstream)\/`;
/** The mark of what is left to do. As a pattern, because in a string it would be such a mark itself. */
export const TO_DO = /todo/.source;
