/** Which hosts are on this machine, and how far each is connected. */
import { toFailure } from "../../errors.ts";
import { HOST_TABLE } from "../../logic/connect/host-table.ts";
import { type HostState, judgeHost } from "../../logic/connect/judge-host.ts";
import { startedIn } from "../../logic/connect/plan-file.ts";
import { wantedFiles } from "../../logic/connect/wanted-entries.ts";
import type { Finding } from "../../model/care/finding.ts";
import { type ConnectScope, HOSTS, type HostId } from "../../model/connect/host.ts";
import type { ConnectWorld } from "./plan-host.ts";

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
