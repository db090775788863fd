/** The verbs as a plain page, made from the catalog: no script, no style from elsewhere. */
import type { AnyOperation } from "../../operations/operation.ts";

export function referencePage(operations: readonly AnyOperation[]): string {
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    "<title>Stele</title></head><body>",
    "<h1>Stele</h1>",
    "<p>Send <code>POST /v1/VERB</code> a JSON object of fields, with <code>Authorization: Bearer TOKEN</code> and the " +
      'project\'s folder as the field <code>project</code>. <a href="/openapi.json">openapi.json</a> describes every field ' +
      "and answer.</p>",
    ...operations.map(verbSection),
    "</body></html>",
  ].join("\n");
}

function verbSection(op: AnyOperation): string {
  const refused = new Set(op.paths ?? []);
  const fields = Object.entries(op.input.shape).filter(([name]) => !refused.has(name));
  const rows = fields.map(
    ([name, type]) => `<tr><th><code>${escaped(name)}</code></th><td>${escaped(type.description ?? "")}</td></tr>`,
  );
  return [
    `<h2 id="${escaped(op.name)}"><code>POST /v1/${escaped(op.name)}</code></h2>`,
    `<p>${escaped(op.summary)}</p>`,
    ...(rows.length > 0 ? [`<table>${rows.join("")}</table>`] : []),
  ].join("\n");
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => ENTITIES[letter]!);
