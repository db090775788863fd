/** Remote providers as `inspect` shows them to a person: tokens, and costs where prices are set. */
import type { Inspection } from "../../engine/care/inspect.ts";

type Remote = Inspection["remote"];
type Spent = Remote["usage"][number]["today"];

/** Nothing, if there is no provider and never was one. */
export function renderRemote({ llm, embedder, usage }: Remote): string[] {
  const named = [llm, embedder].filter((name) => name !== null).join(", ");
  if (named === "" && usage.length === 0) return [];
  const lines = usage.map(
    ({ provider, model, purpose, today, total }) =>
      `  ${provider} ${model}, to ${purpose}: ${spent(today)} today, ${spent(total)} in total`,
  );
  return ["", `Remote providers  ${named || "none now"}`, ...(lines.length > 0 ? lines : ["  nothing was sent yet"])];
}

function spent({ inputTokens, outputTokens, cost }: Spent): string {
  const price = cost === null ? "" : ` (${cost.toFixed(cost < 1 ? 4 : 2)})`;
  return `${inputTokens.toLocaleString("en")} + ${outputTokens.toLocaleString("en")} tokens${price}`;
}
