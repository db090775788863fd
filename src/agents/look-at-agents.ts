/** Which hosts are on this machine, and how far each is connected. */
import { toFailure } from "../errors.ts";
import { type Finding, note, ok, problem, some } from "../maintenance/finding.ts";
import { HOST_TABLE, wantedFiles } from "./agent-table.ts";
import { type ConnectScope, type HostId, HOSTS, type Program } from "./connection.ts";
import type { ConnectWorld } from "./plan-agent.ts";
import { startedIn } from "./plan-file.ts";
import { isCurrent, isElsewhere, type Started } from "./recognise.ts";

/** What the doctor says about a host, from what its configuration holds. */
interface HostState {
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
function judgeHost(state: HostState, program: Program, isThere: (path: string) => boolean): Finding | null {
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

type LookWorld = Pick<ConnectWorld, "files" | "program" | "places">;

export const lookAtHosts = (world: LookWorld): HostState[] => HOSTS.map((host) => lookAt(host, world));

function lookAt(host: HostId, world: LookWorld): HostState {
  const { title, folders, programs } = HOST_TABLE[host];
  const isFound = folders(world.places).some(world.files.isThere) || programs.some(world.files.isOnPath);
  const states = (["user", "project"] as const).map((scope) => entriesIn(host, scope, world));
  // A project of its own counts, but what it lacks is not missed if all projects have it.
  const [user, project] = states as [Entries, Entries];
  const isOfProject =
    user.servers.length + user.hooks.length === 0 && project.servers.length + project.hooks.length > 0;
  return { host, title, isFound, ...(isOfProject ? project : user) };
}

type Entries = Pick<HostState, "servers" | "hooks" | "hooksWanted" | "faults">;

function entriesIn(host: HostId, scope: ConnectScope, { files, program, places }: LookWorld): Entries {
  const entries: Entries = { servers: [], hooks: [], hooksWanted: 0, faults: [] };
  for (const wanted of wantedFiles(host, scope, program, places)) {
    entries.hooksWanted += wanted.entries.filter(({ kind }) => kind === "hook").length;
    try {
      const { text } = files.read(wanted.path, scope === "project" ? places.project : null);
      const started = text === null ? [] : startedIn(text, wanted);
      if ("fault" in started) entries.faults.push(`${wanted.path}: ${started.fault}`);
      else for (const one of started) (one.rest[0] === "mcp" ? entries.servers : entries.hooks).push(one);
    } catch (thrown) {
      entries.faults.push(toFailure(thrown).message.replace(/\.$/, ""));
    }
  }
  return entries;
}

export interface HostFindings {
  findings: Finding[];
  /** The hosts that have our server and all of our hooks. */
  connected: HostId[];
}

/** What the doctor says about hosts. */
export function examineHosts(world: LookWorld): HostFindings {
  const judged = lookAtHosts(world).flatMap((state) => {
    const finding = judgeHost(state, world.program, world.files.isThere);
    return finding === null ? [] : [{ host: state.host, finding }];
  });
  return {
    findings: judged.map(({ finding }) => finding),
    connected: judged.flatMap(({ host, finding }) => (finding.state === "ok" ? [host] : [])),
  };
}
