/** Query matches as plain values: nodes do not outlive their tree. */
import type { QueryMatch } from "web-tree-sitter";
import type { Capture, Match } from "../../logic/corpus/definitions.ts";
import { SYMBOL_KINDS } from "../../model/corpus/corpus.ts";

const WHOLE: ReadonlySet<string> = new Set([...SYMBOL_KINDS, "declaration", "member"]);
const JOINTS: Record<string, "." | "::"> = {
  member_expression: ".",
  qualified_identifier: "::",
  scope_resolution: "::",
};

export function readMatch({ captures }: QueryMatch): Match | null {
  const at = new Map(captures.map(({ name, node }) => [name, node]));
  const kind = captures.find(({ name }) => WHOLE.has(name)) ?? captures.find(({ name }) => name === "scope");
  const name = at.get("name");
  if (!kind || !name) return null;
  const { node } = kind;
  const scope = kind.name === "scope" ? undefined : at.get("scope");
  const body = at.get("body") ?? node.childForFieldName("body");
  const last = node.endPosition;
  return {
    capture: kind.name as Capture,
    start: node.startIndex,
    end: node.endIndex,
    startLine: node.startPosition.row + 1,
    // Some definitions end after their line break.
    endLine: Math.max(node.startPosition.row, last.column === 0 ? last.row - 1 : last.row) + 1,
    nameStart: name.startIndex,
    nameEnd: name.endIndex,
    joint: JOINTS[name.type] ?? null,
    bodyStart: body?.startIndex ?? null,
    scope: scope ? [scope.startIndex, scope.endIndex] : null,
  };
}
