/** Diagnostics go to one stream, never to stdout, which is reserved for answers and protocols. */
import type { Log } from "../ports/world.ts";

export const LOG_LEVELS = ["silent", "warn", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export function createLog(level: LogLevel, stream: { write(text: string): unknown }): Log {
  const wanted = LOG_LEVELS.indexOf(level);
  const write = (severity: LogLevel, message: string) => {
    if (wanted >= LOG_LEVELS.indexOf(severity)) stream.write(`stele: ${message.replace(/\s+/g, " ").slice(0, 500)}\n`);
  };
  return { debug: (message) => write("debug", message), warn: (message) => write("warn", message) };
}
