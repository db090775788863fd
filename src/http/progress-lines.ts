/** A long call as a stream of lines, each a JSON document: how far it is, and at last what it came to. */
import type { Progress } from "../world.ts";
import { documentOf, type Outcome } from "./requests.ts";

export const NDJSON = "application/x-ndjson";

export function lines(run: (progress: Progress) => Promise<Outcome>, dryRun: boolean): Response {
  const encoder = new TextEncoder();
  let isGone = false;
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (value: unknown): void => {
        if (!isGone) controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
      };
      const outcome = await run({ report: (done, total, message) => send({ progress: { done, total, message } }) });
      const { status, document } = documentOf(outcome, dryRun);
      send({ status, document });
      if (!isGone) controller.close();
    },
    // The call goes on: what it writes is worth keeping.
    cancel: () => void (isGone = true),
  });
  return new Response(stream, { headers: { "content-type": NDJSON } });
}
