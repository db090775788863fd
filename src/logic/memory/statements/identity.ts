/**
 * Identity: "Hannah is the product owner", "the product owner is Tobias".
 *
 * What has a definite article exists once, so two names for it cannot both be right, whichever comes first.
 */
export interface Identity {
  name: string;
  role: string;
}

const LABEL = /^(?:decision|decided|note|fact|info|update): */i;
const NAME = "\\p{Lu}[\\p{L}\\p{N}.+#-]*(?: (?:\\p{Lu}[\\p{L}\\p{N}.+#-]*|v?\\d[\\d.]*))?";
const IS = "(?:is|will be|ist|est|es)";
const THE = "(?:[Tt]he|[Oo]ur|[Dd]er|[Dd]ie|[Dd]as|[Ll][ea]|[Ee]l)";
const NAME_FIRST = new RegExp(`^(${NAME}) ${IS} (${THE} [^,;:.!?]{3,60})[.!]?$`, "u");
const ROLE_FIRST = new RegExp(`^(${THE} [^,;:.!?]{3,60}?) ${IS} (${NAME})[.!]?$`, "u");

/** Of a single clause without anything else; null for any other text. */
export function identityIn(written: string): Identity | null {
  const text = written.replace(LABEL, "");
  const first = NAME_FIRST.exec(text);
  if (first) return { name: first[1]!, role: roleOf(first[2]!) };
  const last = ROLE_FIRST.exec(text);
  return last ? { name: last[2]!, role: roleOf(last[1]!) } : null;
}

const roleOf = (role: string): string => role.toLowerCase().replace(/^\S+ /, "");

/** Two names for what exists once. */
export const areOtherIdentities = (one: Identity | null, two: Identity | null): boolean =>
  one !== null && two !== null && one.role === two.role && one.name.split(" ")[0] !== two.name.split(" ")[0];
