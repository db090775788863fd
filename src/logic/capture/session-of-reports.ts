/** Reports of hooks as events of a session, for hosts whose transcripts cannot be read. */
import type { SessionEvent } from "../../model/capture/session-event.ts";
import type { Spooled } from "../../model/capture/spooled.ts";
import type { StretchEnd } from "../../model/capture/stretch.ts";

/** `line` counts the reports of the session. */
export function eventsOfReport(report: Spooled, line: number): SessionEvent[] {
  const { event, id, tool, command, path } = report;
  const text = report.text ?? "";
  const recorded = { line, at: report.at, branch: report.branch ?? null };
  const call: SessionEvent = {
    ...{ ...recorded, kind: "call", call: id, tool: tool ?? "" },
    ...{ command, path },
  };
  switch (event) {
    case "prompt":
      return [{ ...recorded, kind: "prompt", text }];
    case "turn_end":
      return text === "" ? [] : [{ ...recorded, kind: "reply", text }];
    case "compaction":
      return [{ ...recorded, kind: "compaction", text }];
    case "tool":
    case "failure":
      return [call, { ...recorded, kind: "result", call: id, text, isError: event === "failure" }];
    case "session_start":
    case "session_end":
      return [];
  }
}

export const endOf = (reports: readonly Spooled[]): StretchEnd | null =>
  reports.at(-1)?.event === "session_end" ? "session_end" : null;
