/**
 * Grown text: for a file that only got longer, redaction restarts shortly before its former end.
 *
 * The reused part lies before a stretch in which nothing was redacted and which is longer than any rule reaches: no
 * secret spans it, and nothing appended can affect the text before it. Without such a stretch, or if anything is
 * inconsistent, the result is null and the whole text must be redacted.
 */
import { farRules, redact } from "./rules/redaction.ts";

/** Longer than the longest complete private key, which is the longest match of any rule. */
export const REACH_CHARACTERS = 32_768;

interface Growth {
  /** The text as it was. */
  before: string;
  /** Its redacted form, line by line. */
  cleaned: string;
  /** The new text; it begins with the old one. */
  after: string;
}

/** Equal to redacting the whole text. */
export function redactGrown({ before, cleaned, after }: Growth): string | null {
  const resume = before === cleaned ? resumeIn(before) : resumeBehindSecrets(before, cleaned);
  if (resume === null || enablesMoreRules(before, after)) return null;
  const above = before.slice(0, resume.raw);
  const tail = redact(after.slice(resume.raw), { keepsLines: true, above }).text;
  const isUnredacted = tail.startsWith(before.slice(resume.raw, resume.raw + REACH_CHARACTERS));
  return isUnredacted ? cleaned.slice(0, resume.clean) + tail : null;
}

/** Whether the appended text has a keyword that turns something far above it into a secret. */
function enablesMoreRules(before: string, after: string): boolean {
  const known = farRules(before);
  return farRules(after).some((rule) => !known.includes(rule));
}

/** Where a line begins, in the raw and in the redacted text. */
interface Resume {
  raw: number;
  clean: number;
}

function resumeIn(text: string): Resume | null {
  const latest = text.length - REACH_CHARACTERS;
  const start = latest < 1 ? 0 : text.lastIndexOf("\n", latest - 1) + 1;
  return start === 0 ? null : { raw: start, clean: start };
}

function resumeBehindSecrets(before: string, cleaned: string): Resume | null {
  const [raw, clean] = [before.split("\n"), cleaned.split("\n")];
  if (raw.length !== clean.length) return null;
  let resume: Resume | null = null;
  let at: Resume = { raw: before.length, clean: cleaned.length };
  let unredactedUntil = before.length;
  for (let line = raw.length - 1; line > 0; line -= 1) {
    const [was, is] = [raw[line]!, clean[line]!];
    at = { raw: at.raw - was.length, clean: at.clean - is.length };
    if (was !== is) {
      // Redaction would have left a placeholder, so the difference has another cause.
      if (is !== "" && !is.includes("[redacted:")) return null;
      unredactedUntil = at.raw;
    }
    if (resume === null && unredactedUntil - at.raw >= REACH_CHARACTERS) resume = at;
    at = { raw: at.raw - 1, clean: at.clean - 1 };
  }
  return resume;
}
