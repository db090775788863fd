/**
 * Grown text: a file that only got longer is cleaned from shortly before its former end.
 *
 * What is reused lies before a stretch in which nothing was hidden and that is longer than any rule reaches: no secret
 * lies across it, and nothing that was added changes what was hidden before it. Where there is no such stretch, or
 * anything is odd, the answer is null, and everything is to be cleaned.
 */
import { farRules, redact } from "./redaction.ts";

/** Longer than the longest private key that has an end, which is what reaches farthest. */
export const REACH_CHARACTERS = 32_768;

export interface Growth {
  /** The text as it was. */
  before: string;
  /** What was kept of it, line by line. */
  cleaned: string;
  /** The text as it is; it begins with what it was. */
  after: string;
}

/** The same as redacting all of it. */
export function redactGrown({ before, cleaned, after }: Growth): string | null {
  const resume = before === cleaned ? resumeIn(before) : resumeBehindSecrets(before, cleaned);
  if (resume === null || callsForMore(before, after)) return null;
  const above = before.slice(0, resume.raw);
  const tail = redact(after.slice(resume.raw), { keepsLines: true, above }).text;
  const isCalm = tail.startsWith(before.slice(resume.raw, resume.raw + REACH_CHARACTERS));
  return isCalm ? cleaned.slice(0, resume.clean) + tail : null;
}

/** Whether what was added has a word that makes a secret of something far above it. */
function callsForMore(before: string, after: string): boolean {
  const known = farRules(before);
  return farRules(after).some((rule) => !known.includes(rule));
}

/** Where a line begins, in the text and in what was kept of it. */
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
  let calmUntil = before.length;
  for (let line = raw.length - 1; line > 0; line -= 1) {
    const [was, is] = [raw[line]!, clean[line]!];
    at = { raw: at.raw - was.length, clean: at.clean - is.length };
    if (was !== is) {
      // Only redaction changes what a file says: somebody else has written this.
      if (is !== "" && !is.includes("[redacted:")) return null;
      calmUntil = at.raw;
    }
    if (resume === null && calmUntil - at.raw >= REACH_CHARACTERS) resume = at;
    at = { raw: at.raw - 1, clean: at.clean - 1 };
  }
  return resume;
}
