/** The question that verbs other than `ratify` ask before they change which decisions hold. */
import type { Question } from "../catalog/question.ts";
import { handleOf } from "../memory/handles.ts";
import { oneLine } from "../recall/show-hits.ts";
import { counted } from "../text/short-text.ts";
import type { World } from "../world.ts";
import { mayGoUnasked, type Touched } from "./consent.ts";

/** Null when no decision is affected. Each decision's text is marked, so that it cannot pass for our own words. */
export function decisionQuestion(
  message: string,
  field: string,
  label: string,
  { count, shown, otherwise = "edges between decisions", about }: Touched,
  world: Pick<World, "settings">,
): Question | null {
  if (about === null) return null;
  const more = count - shown.length;
  const affected = count > 0 ? `${counted(count, "decision")}:` : `${otherwise}.`;
  const lines = [
    message,
    `This affects ${affected}`,
    ...shown.map(
      ({ id, title, content }) => `> ${handleOf(id)} ${oneLine(title === null ? content : `${title}: ${content}`)}`,
    ),
    ...(more > 0 ? [`and ${more} more.`] : []),
  ];
  return {
    message: lines.join("\n"),
    fields: { [field]: { kind: "confirm", label } },
    about,
    mayGoUnasked: mayGoUnasked(world),
  };
}
