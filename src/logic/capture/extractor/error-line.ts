/** The line of a tool's result that tells what went wrong. */
const FAILURE =
  /^(?:\s*(?:--- FAIL|FAIL(?:ED)?\b|✗|✖|not ok\b)|.{0,80}?\b(?:error|fatal|panic|exception|traceback)\b\s*(?:\[[^\]]*\])?:|\w*(?:Error|Exception)\b)/i;
const LINE_END = /[\n\r\u2028\u2029]/;
const HEAD = 20_000;
const LONGEST = 160;

/** Null when nothing failed, empty when nothing tells why. Output that merely mentions errors, like a listing of code, is no failure. */
export function errorLine(text: string, isError: boolean): string | null {
  const head = text.slice(0, HEAD).replace(/<\/?tool_use_error>/g, "");
  if (!isError && !/^(?:--- FAIL|FAIL\b|error:|fatal:|panic:|Traceback \(most recent)/m.test(head)) return null;
  const telling = head.split(LINE_END).find((line) => FAILURE.test(line));
  return (telling ?? "").replace(/\s+/g, " ").trim().slice(0, LONGEST);
}
