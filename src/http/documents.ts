/**
 * The API as an OpenAPI document, made from the catalog.
 *
 * Inputs, answers and the shapes they share are components with names, so that a generated client has types with names.
 */
import * as z from "zod";
import { PROJECT_HEADER } from "../agents/connection.ts";
import type { AnyOperation } from "../catalog/operation.ts";
import { type FailureCode, FAILURES } from "../errors.ts";
import { Memory } from "../memory/view.ts";
import { Hit, Past } from "../recall/hit.ts";
import { BESIDE_INPUT } from "./requests.ts";

type Json = Record<string, unknown>;

const SHARED: Record<string, z.ZodObject> = { Hit, Memory, Past };
const component = (id: string): string => `#/components/schemas/${id}`;
const reference = (id: string): Json => ({ $ref: component(id) });
const inJson = (schema: Json): Json => ({ "application/json": { schema } });

export function openApi(operations: readonly AnyOperation[], { version }: { version: string }): Json {
  return {
    openapi: "3.1.0",
    info: { title: "Stele", version, description: "The memory of AI coding agents. The same verbs as everywhere." },
    security: [{ token: [] }],
    paths: Object.fromEntries(operations.map((op) => [`/v1/${op.name}`, { post: pathOf(op) }])),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      parameters: { project: PROJECT_PARAMETER },
      responses: Object.fromEntries(CODES.map((code) => [code, failureResponse(code)])),
      schemas: {
        ...namedSchemas(
          operations.map((op) => [inputName(op), openInput(op)]),
          "input",
        ),
        ...namedSchemas(
          [...operations.map((op) => [answerName(op), op.output] as const), ...Object.entries(SHARED)],
          "output",
        ),
        Failure: FAILURE,
        Question: QUESTION,
        Answer: ANSWER,
      },
    },
  };
}

const CODES = Object.keys(FAILURES) as FailureCode[];
const PROJECT_PARAMETER = {
  name: PROJECT_HEADER,
  in: "header",
  schema: { type: "string" },
  description: "The folder of the project, percent-encoded, unless the field `project` names it.",
};

function pathOf(op: AnyOperation): Json {
  return {
    operationId: op.name,
    tags: [op.group],
    summary: op.summary,
    parameters: [{ $ref: "#/components/parameters/project" }],
    requestBody: { required: true, content: inJson(besideInput(op)) },
    responses: {
      200: { description: "The answer.", content: inJson(reference(answerName(op))) },
      ...(op.question && {
        428: { description: "A person must answer first.", content: inJson(reference("Question")) },
      }),
      ...Object.fromEntries(CODES.map((code) => [FAILURES[code].http, { $ref: `#/components/responses/${code}` }])),
    },
  };
}

/** The input of the verb, and what concerns the call. */
const besideInput = (op: AnyOperation): Json => ({
  allOf: [
    reference(inputName(op)),
    {
      type: "object",
      properties: {
        project: { type: "string", description: "The absolute path of the project's folder." },
        dryRun: { type: "boolean", description: "Answer what it would do, and change nothing." },
        answer: reference("Answer"),
      } satisfies Record<(typeof BESIDE_INPUT)[number], Json>,
    },
  ],
});

/** Without the fields that name files of this machine, which are refused. */
function openInput({ input, paths = [] }: AnyOperation): z.ZodObject {
  if (paths.length === 0) return input;
  return z.object(Object.fromEntries(Object.entries(input.shape).filter(([field]) => !paths.includes(field))));
}

function namedSchemas(named: Iterable<readonly [string, z.ZodObject]>, io: "input" | "output"): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, unrepresentable: "any", uri: component });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]),
  );
}

const inputName = ({ name }: AnyOperation): string => `${pascal(name)}Input`;
const answerName = ({ name }: AnyOperation): string => `${pascal(name)}Answer`;
const pascal = (name: string): string => name.replace(/(?:^|_)(\w)/g, (_found, letter: string) => letter.toUpperCase());

const failureResponse = (code: FailureCode): Json => ({ description: code, content: inJson(reference("Failure")) });

const text = { type: "string" };
const FAILURE = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "hint"],
      properties: { code: { type: "string", enum: CODES }, message: text, hint: text },
    },
  },
};
const QUESTION = {
  type: "object",
  required: ["question", "fingerprint"],
  properties: {
    question: {
      type: "object",
      required: ["message", "fields"],
      properties: { message: text, fields: { type: "object", additionalProperties: { type: "object" } } },
    },
    fingerprint: text,
  },
};
const ANSWER = {
  type: "object",
  required: ["question", "values"],
  description: "A person's answer to the question of the same request.",
  properties: {
    question: { type: "string", description: "The fingerprint of the question that was shown." },
    values: { type: ["object", "null"], additionalProperties: { type: ["string", "boolean"] } },
  },
};

/** The verbs as a plain page, made from the catalog: no script, no style from elsewhere. */
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
