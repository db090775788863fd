/** What the doctor says about the server of a shared project. */
import type { Finding } from "../../../model/care/finding.ts";
import { type TeamCondition, howToInherit, nameOfSchema, roleOf } from "../../../model/care/team.ts";
import { counted } from "../../../model/text/count.ts";
import { note, ok, problem } from "./findings.ts";

export interface TeamLook {
  schema: string;
  /** Where the server is. */
  server: string;
  /** Whether the connection never leaves this machine. */
  isHere: boolean;
  /** Reports of hooks that nobody has taken in yet. */
  reports: number;
  found: TeamCondition | { message: string; hint: string };
}

/** Every read of a shared project waits for it, and a recall makes a dozen. */
const SLOW_MS = 100;

export function judgeTeam(look: TeamLook | null): Finding[] {
  if (look === null) return [];
  const { schema, server, isHere, reports, found } = look;
  if ("hint" in found) return [problem("team", `${server}: ${found.message}`, found.hint)];
  const { user, role, granted, mayWrite, version, newest, isEncrypted, roundTripMs, extensions } = found;
  const name = nameOfSchema(schema);
  const findings: Finding[] = [];
  if (role === null)
    findings.push(problem("team", `${user} has no role in ${name} on ${server}.`, "Ask whoever manages the server."));
  if (version !== newest) {
    const message = `${name} on ${server} has ${version === null ? "no tables that you can read" : `schema ${version}`}; this Stele needs ${newest}.`;
    findings.push(problem("team", message, "Ask whoever manages the server to run `stele team init`."));
  }
  if (!isEncrypted && !isHere)
    findings.push(note("team", `The connection to ${server} is not encrypted.`, "Remove team.tls from your settings."));
  if (roundTripMs > SLOW_MS)
    findings.push(
      note("team", `The way to ${server} and back takes ${roundTripMs.toFixed(0)} ms.`, "Recalls wait for it."),
    );
  if (granted !== null && granted !== role) {
    const message = `${user} was granted the role of a ${granted} in ${name}, but does not inherit its rights.`;
    findings.push(note("team", message, howToInherit(roleOf(schema, granted), user)));
  }
  if (role !== null && !mayWrite) {
    const waiting = reports === 0 ? "" : `, and ${counted(reports, "report")} from before must wait`;
    const hint = "Ask whoever manages the server for the role of a writer, if sessions should be captured.";
    findings.push(note("team", `You are a reader of ${name}: hooks record nothing here${waiting}.`, hint));
  }
  if (findings.some(({ state }) => state === "problem")) return findings;
  const said = [
    `Shared as ${name} on ${server} (${found.server}); ${user} is a ${role}`,
    ...[
      isEncrypted ? "encrypted" : "not encrypted",
      `schema ${version}`,
      `${roundTripMs.toFixed(1)} ms there and back`,
    ],
    `extensions: ${extensions.join(", ")}, and none is needed`,
  ];
  return [ok("team", `${said.join("; ")}.`), ...findings];
}
