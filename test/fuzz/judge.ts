/** What must hold for every call on every host, whatever its input was. */
import { inspect } from "node:util";
import { FAILURES } from "../../src/errors.ts";
import { type Call, type Outcome, showsStack } from "./host.ts";

export function judge(call: Call, { answer, failure, complaints }: Outcome, isUnchanged: boolean): string[] {
  const found = [...complaints];
  if (failure !== null) {
    const { code, message, hint } = failure;
    if (!Object.hasOwn(FAILURES, code)) found.push(`${code} is no declared code`);
    if (code === "internal") found.push(`an internal failure: ${message}`);
    if (typeof message !== "string" || message.trim() === "") found.push(`${code} without a message`);
    if (typeof hint !== "string" || hint.trim() === "") found.push(`${code} without a hint: ${message}`);
    if (showsStack(`${message}\n${hint}`)) found.push(`a stack trace: ${message}`);
    if (!isUnchanged) found.push(`something was written although the call failed with ${code}: ${message}`);
  } else {
    if (answer !== null) found.push(...brokenPromises(call, answer));
    if (!isUnchanged && call.style.dryRun) found.push("a dry run wrote something");
    if (!isUnchanged && call.op.effect === "read") found.push("a verb that reads wrote something");
  }
  return found;
}

function brokenPromises({ op }: Call, answer: unknown): string[] {
  const parsed = op.output.strict().safeParse(answer);
  return parsed.success ? [] : [`the answer breaks the schema of ${op.name}: ${parsed.error.message}`];
}

export function describeCall({ op, input, style }: Call): string {
  const shown = inspect(input, { depth: 4, maxStringLength: 400, maxArrayLength: 20, breakLength: 160 });
  return `${op.name} ${shown} as ${JSON.stringify(style)}`;
}
