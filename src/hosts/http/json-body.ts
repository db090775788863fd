/** The JSON of a request, within a limit: what is too long is not read to its end. */
import { Failure } from "../../errors.ts";

export const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

export async function jsonBody(request: Request, limitBytes = BODY_LIMIT_BYTES): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    throw new Failure("invalid_input", "The body must be JSON.", "Send `Content-Type: application/json`.");
  }
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (cause) {
    throw new Failure("invalid_input", "The body is not valid JSON.", "Send one JSON object in UTF-8.", { cause });
  }
}

const tooLarge = (limitBytes: number): Failure =>
  new Failure("too_large", `The body is longer than ${limitBytes} bytes.`, "Split it and send it in parts.");
