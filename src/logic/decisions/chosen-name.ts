/**
 * What a statement names as the choice for a subject: "they run on X", "use X for them", "X handles them".
 *
 * Other things can be said of a subject with a name in them, so only verbs that hardly leave room for two are known.
 */
import { isTelling, NEGATIONS, type Token, VERBS } from "../memory/statements/tokens.ts";
import { isStopWord } from "../text/words.ts";
import { clauseAt, isName, keysOf, mayBeName } from "./given-up.ts";

/** Where a statement names the subject. */
export interface Place {
  start: number;
  end: number;
}

const RELYING =
  /^(?:use|uses|using|run|runs|running|handled|processed|powered|executed|queued|dispatched|stored|kept|persisted|moved|migrated|switched)$/;
const USING = /^(?:use|uses|using)$/;
const COPULA = /^(?:is|are)$/;
const LINKING =
  /^(?:is|are|was|were|be|been|being|has|have|will|should|must|shall|now|always|currently|all|get|gets|got|to|on|with|by|in|through|via|over|using|a|an|the|our)$/;
const PREPOSITION = /^(?:to|on|with|by|in|through|via|over)$/;
const PICKING = /^(?:use|uses|using|adopt|adopted|choose|chose|pick|picked|prefer|prefers|take|want)$/;
const SERVING = /^(?:handles|powers|runs|processes|executes)$/;
/** After these stands who does it, where or when. */
const CIRCUMSTANCE = /^(?:by|in|over)$/;
const PURPOSE = /^(?:for|as)$/;
/** What runs on a platform, or uses a tool that goes with anything, runs on or uses something else as well. */
const PLATFORM =
  /^(?:grafana|prometheus|datadog|sentry|kibana|loki|opentelemetry|helm|terraform|ansible|testcontainers|prisma|drizzle|typeorm|sequelize|hibernate|pgbouncer|vite|webpack|esbuild|january|february|march|april|june|july|august|september|october|november|december|kubernetes|k8s|docker|aws|ec2|ecs|eks|fargate|gcp|azure|hetzner|heroku|fly\.io|vercel|netlify|cloudflare|linux|ubuntu|debian|alpine|windows|macos|node|node\.js|deno|bun|java|jvm|python|ruby|php|go|rust|typescript|arm|x86)$/;
/** A clause with one of these denies, supposes or remembers a choice. */
const NOT_CHOSEN =
  /^(?:stop\w*|avoid\w*|instead|rather|than|without|against|if|unless|before|until|formerly|previously|originally|earlier|once|considered|rejected|tried|could|would|might|may|used|except|only|also|too)$/;

/** Where the statement names the subject, and neither narrows it nor goes on to another noun. */
export function subjectIn(tokens: readonly Token[], stems: readonly string[], parts: readonly string[]): Place | null {
  for (let start = 0; start + parts.length <= tokens.length; start++) {
    if (!parts.every((part, index) => stems[start + index] === part)) continue;
    const end = start + parts.length;
    const [before, after] = [tokens[start - 1], tokens[end]];
    const isNarrowed = before !== undefined && !before.endsClause && isTelling(before) && !isVerb(before);
    const goesOn = after !== undefined && !tokens[end - 1]!.endsClause && isTelling(after) && !isVerb(after);
    if (!isNarrowed && !goesOn) return { start, end };
  }
  return null;
}

const isVerb = ({ folded }: Token): boolean =>
  VERBS.has(folded) || RELYING.test(folded) || PICKING.test(folded) || SERVING.test(folded);

/** A proposal on the same subject chooses what it names first. */
export const firstName = (tokens: readonly Token[], own: ReadonlySet<string>): string | null =>
  tokens.find(
    (token, at) =>
      mayBeName(token) &&
      (isName(token) || (at === 0 && /^\p{Lu}.*[^s]$/u.test(token.text))) &&
      !keysOf(token.text).some((key) => own.has(key)),
  )?.text ?? null;

/** The rejected alternative that the statement names and does not deny, if it has something else in common as well. */
export function rejectedIn(
  tokens: readonly Token[],
  rejected: readonly (readonly string[])[],
  own: ReadonlySet<string>,
): string | null {
  for (const words of rejected) {
    const at = tokens.findIndex((_, start) => words.every((word, index) => tokens[start + index]?.folded === word));
    if (at < 0) continue;
    const clause = clauseAt(tokens, at);
    if (clause.some(({ folded }) => NEGATIONS.has(folded) || NOT_CHOSEN.test(folded))) continue;
    const others = clause.filter((token) => isTelling(token) && !words.includes(token.folded));
    if (others.some(({ text }) => keysOf(text).some((key) => own.has(key))))
      return tokens
        .slice(at, at + words.length)
        .map(({ text }) => text)
        .join(" ");
  }
  return null;
}

export function chosenFor(tokens: readonly Token[], { start, end }: Place, own: ReadonlySet<string>): string | null {
  const clause = clauseAt(tokens, start);
  if (clause.some(({ folded }) => NEGATIONS.has(folded) || NOT_CHOSEN.test(folded))) return null;
  const name = chosenAfter(tokens, end, own) ?? chosenBefore(tokens, start, own);
  return name && name.map(({ text }) => text).join(" ");
}

function chosenAfter(tokens: readonly Token[], end: number, own: ReadonlySet<string>): Token[] | null {
  if (tokens[end - 1]?.endsClause) return null;
  let at = end;
  while (at < tokens.length && !tokens[at]!.endsClause) {
    const { folded } = tokens[at]!;
    if (!RELYING.test(folded) && !LINKING.test(folded)) break;
    at += 1;
  }
  const between = tokens.slice(end, at).map(({ folded }) => folded);
  const name = nameAt(tokens, at, 1, own);
  if (name === null) return null;
  const next = name.at(-1)!.endsClause ? undefined : tokens[at + name.length];
  // "They use Sentry for errors" chooses something for errors.
  if (next && PURPOSE.test(next.folded)) return null;
  const goesOn = next !== undefined && isTelling(next);
  const isPowered = between.includes("powered");
  if (!isPowered && between.some((word) => CIRCUMSTANCE.test(word))) return null;
  if (name.some(({ folded }) => PLATFORM.test(folded))) return null;
  if (between.some((word) => USING.test(word))) return goesOn || isAcronym(name) ? null : name;
  if (between.some((word) => RELYING.test(word))) return name;
  const isEqual = between.some((word) => COPULA.test(word)) && !between.some((word) => PREPOSITION.test(word));
  return isEqual && !goesOn && !isAcronym(name) ? name : null;
}

/** UTC, TLS, GDPR: rather a property than the one choice. */
const isAcronym = (name: readonly Token[]): boolean => name.every(({ text }) => /^\p{Lu}+$/u.test(text));

function chosenBefore(tokens: readonly Token[], start: number, own: ReadonlySet<string>): Token[] | null {
  let at = start - 1;
  while (at >= 0 && (isStopWord(tokens[at]!.folded) || SERVING.test(tokens[at]!.folded))) at -= 1;
  const between = tokens.slice(at + 1, start);
  const serves = between.some(({ folded }) => SERVING.test(folded));
  if (at < 0 || tokens[at]!.endsClause || between.some(({ endsClause }) => endsClause)) return null;
  if (!serves && !between.some(({ folded }) => PURPOSE.test(folded))) return null;
  const name = nameAt(tokens, at, -1, own);
  if (name === null || serves) return name;
  if (name.some(({ folded }) => PLATFORM.test(folded))) return null;
  const verb = tokens[at - name.length];
  return verb && PICKING.test(verb.folded) ? name : null;
}

/** The run of names at a place, or null if one of them is the decision's own. */
function nameAt(tokens: readonly Token[], at: number, step: 1 | -1, own: ReadonlySet<string>): Token[] | null {
  const run: Token[] = [];
  for (let place = at; tokens[place] && (isName(tokens[place]!) || isOnlyWord(tokens, place)); place += step) {
    run.push(tokens[place]!);
    if (step > 0 && tokens[place]!.endsClause) break;
  }
  if (run.length === 0 || run.some(({ text }) => keysOf(text).some((key) => own.has(key)))) return null;
  return step > 0 ? run : run.reverse();
}

/** "Use celery for": a single word between verb and purpose is a name however it is written. */
const isOnlyWord = (tokens: readonly Token[], at: number): boolean =>
  isTelling(tokens[at]!) && PICKING.test(tokens[at - 1]?.folded ?? "") && PURPOSE.test(tokens[at + 1]?.folded ?? "");
