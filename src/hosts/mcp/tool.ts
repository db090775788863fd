/**
 * Tool: an operation as MCP shows it.
 *
 * Schemas are only advertised here; dispatch validates the input, so that a wrong field
 * gets the same message on every host and unknown fields are not silently dropped.
 */
import type { CallToolResult, StandardSchemaWithJSON, ToolAnnotations } from "@modelcontextprotocol/server";
import type * as z from "zod";
import type { Failure } from "../../errors.ts";
import type { AnyOperation } from "../../operations/operation.ts";

export interface ToolDescription {
  title: string;
  description: string;
  inputSchema: StandardSchemaWithJSON;
  outputSchema: StandardSchemaWithJSON;
  annotations: Required<Omit<ToolAnnotations, "title">>;
  _meta?: Record<string, unknown>;
}

export function describeTool(op: AnyOperation): ToolDescription {
  return {
    title: titleOf(op),
    description: op.summary,
    inputSchema: advertised(op.input.strict()),
    outputSchema: advertised(op.output),
    annotations: {
      readOnlyHint: op.effect === "read",
      destructiveHint: op.effect === "destroy",
      idempotentHint: op.repeatable,
      openWorldHint: false,
    },
    ...(op.alwaysAsks && { _meta: { [USER_INTERACTION_META_KEY]: true } }),
  };
}

/** Makes the client ask the person before every call, whatever else they have allowed. */
const USER_INTERACTION_META_KEY = "anthropic/requiresUserInteraction";

/** The rendering is shorter and easier to read than the JSON; programs use the structured copy. */
export function answerResult(op: AnyOperation, answer: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text: op.render(answer) }], structuredContent: answer };
}

/** Where programs find the parts of a failure: clients may validate structured content against the answer's schema. */
export const ERROR_META_KEY = "stele/error";

export function failureResult(failure: Failure): CallToolResult {
  const { code, message, hint } = failure;
  return {
    content: [{ type: "text", text: `${code}: ${message.replace(/\.$/, "")}. ${hint}` }],
    isError: true,
    _meta: { [ERROR_META_KEY]: failure.toJSON().error },
  };
}

function titleOf(op: AnyOperation): string {
  const words = op.name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function advertised(schema: z.ZodObject): StandardSchemaWithJSON {
  const { vendor, version, jsonSchema } = schema["~standard"];
  return { "~standard": { vendor, version, jsonSchema, validate: (value) => ({ value }) } };
}
