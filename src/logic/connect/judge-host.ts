/** What the doctor says about a host, from what its configuration holds. */
import type { Finding } from "../../model/care/finding.ts";
import type { HostId, Program } from "../../model/connect/host.ts";
import { note, ok, problem, some } from "../care/findings/findings.ts";
import { isElsewhere } from "./carried-home.ts";
import { isCurrent, type Started } from "./recognise.ts";

export interface HostState {
  host: HostId;
  title: string;
  /** The host is on this machine, or its configuration is. */
  isFound: boolean;
  /** Each of our entries that its configuration holds. */
  servers: Started[];
  hooks: Started[];
  /** How many hooks it should have. */
  hooksWanted: number;
  /** Why a file cannot be read. */
  faults: string[];
}

/** `isThere`: whether a path exists. Null if there is nothing to say. */
export function judgeHost(state: HostState, program: Program, isThere: (path: string) => boolean): Finding | null {
  const { title, host, servers, hooks, hooksWanted, faults } = state;
  const command = `\`stele init ${host}\``;
  if (faults.length > 0) return note("hosts", `${title}: ${some(faults)}.`, `Correct it, then run ${command}.`);
  const ours = [...servers, ...hooks];
  if (ours.length === 0)
    return state.isFound ? note("hosts", `${title} is here, but not connected.`, `${command} connects it.`) : null;
  const paths = ours.flatMap(({ node, entry }) => [entry, ...(node === null ? [] : [node])]).filter(isPath);
  const gone = [...new Set(paths)].filter((path) => !isThere(path));
  if (gone.length > 0)
    return problem("hosts", `${title} starts ${some(gone)}, which is gone.`, `${command} corrects it.`);
  if (servers.length === 0) return note("hosts", `${title} has our hooks, but not our server.`, `${command} adds it.`);
  if (hooks.length < hooksWanted) {
    const message = `${title} is connected, with ${hooks.length} of ${hooksWanted} hooks.`;
    return note("hosts", message, `${command} adds the others, so that its sessions are captured.`);
  }
  const elsewhere = [
    ...new Set(ours.flatMap(({ home, url }) => (url === null && isElsewhere(home, program.data) ? [home] : []))),
  ];
  if (elsewhere.length > 0) return inAnotherFolder(state, elsewhere, program);
  const others = [...new Set(ours.filter((one) => !isCurrent(one, program)).map(({ entry }) => entry))];
  if (others.length > 0)
    return note("hosts", `${title} starts another installation: ${some(others)}.`, `${command} points it to this one.`);
  return ok("hosts", `${title} is connected, with ${hooks.length} hooks.`);
}

function inAnotherFolder({ title, host }: HostState, homes: (string | null)[], { data }: Program): Finding {
  const named = homes.map((home) => home ?? "the default folder");
  const message = `${title} keeps its memories in ${some(named)}, this shell in ${data.path}.`;
  const next =
    data.variable === null
      ? `Set STELE_HOME here too, or run \`stele init --remove ${host}\` and \`stele init ${host}\`.`
      : `\`stele init ${host}\` points it to the folder of this shell.`;
  return note("hosts", message, next);
}

const isPath = (word: string) => /[\\/]/.test(word);
