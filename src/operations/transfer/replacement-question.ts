/** The part of an import's question that is about versions which would replace what is here. */
import { type Touched, fingerprint } from "../../engine/decisions/consent.ts";
import type { Question } from "../../model/decisions/question.ts";
import { handleOf } from "../../model/memory/handle.ts";
import { counted } from "../../model/text/count.ts";
import { oneLine } from "../recall/render-hits.ts";

/** What a person agrees to: decisions, replacements or both. */
export function aboutBoth(decisions: Touched, replaced: Touched | null): string | null {
  const [one, two] = [decisions.about, replaced?.about ?? null];
  return one === null || two === null ? (one ?? two) : fingerprint([one, two]);
}

export function withReplacements(
  asked: Question | null,
  decisions: Touched,
  replaced: Touched | null,
): Question | null {
  const about = aboutBoth(decisions, replaced);
  if (replaced === null || replaced.about === null || about === null) return asked;
  const { count, shown } = replaced;
  const lines = [
    `Replace ${counted(count, "item")} here with the version in the file?`,
    ...shown.map(({ id, content }) => `> ${handleOf(id)} ${oneLine(content)}`),
    ...(count > shown.length ? [`and ${count - shown.length} more.`] : []),
  ];
  const message = [...(asked ? [asked.message] : []), ...lines].join("\n");
  return { message, fields: { import: { kind: "confirm", label: "Import" } }, about, mayGoUnasked: true };
}
