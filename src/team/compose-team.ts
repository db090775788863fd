/**
 * Composition of `stele team`: the server, the stores of this machine, and what moves between them.
 *
 * Separate from `compose.ts`, because nothing else needs it.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { projectFolder } from "../app/compose.ts";
import type { Config } from "../app/config.ts";
import { configure } from "../app/configure.ts";
import { homeFolder, readSurroundings, teamPassword } from "../app/environment.ts";
import { openStoreFolder } from "../app/store-folder.ts";
import type { Team } from "../cli/team.ts";
import { createTokenizer } from "../embed/minilm/tokenizer.ts";
import type { AskPassphrase } from "../encryption/record.ts";
import { Failure } from "../errors.ts";
import { createFiles } from "../files/disk/named-files.ts";
import { readRepository, type Repository } from "../files/git/git.ts";
import { systemClock } from "../machine/clock.ts";
import { ownFolders } from "../machine/home.ts";
import { createIds, systemRandom } from "../machine/ids.ts";
import { openSpace, ownKey } from "../memory/open-space.ts";
import type { Space } from "../memory/space.ts";
import { spoolFolder } from "../sessions/inbox-writer.ts";
import { createSpool } from "../sessions/inbox.ts";
import { examineTeam, makeTeamSpace, openTeamSpace, teamProjects } from "../store/postgres/team-space.ts";
import { openSqliteStore } from "../store/sqlite/store.ts";
import type { Store } from "../store/store.ts";
import { copyProject, planCopy } from "../transfer/copy-project.ts";
import type { Clock, Log, Progress } from "../world.ts";
import { createReaderMark, createSharedProjects } from "./records.ts";
import { teamServer } from "./server-store.ts";
import { asUser, schemaFor, serverName, type TeamServer } from "./team.ts";

interface TeamOptions {
  project?: string | undefined;
  home?: string | undefined;
  /** Connects as this user instead of the one in the settings. */
  user?: string | undefined;
  progress?: Progress | undefined;
  askPassphrase?: AskPassphrase | undefined;
}

const SILENT: Log = { debug: () => undefined, warn: () => undefined };
const NO_PROGRESS: Progress = { report: () => undefined };

export async function openTeam(options: TeamOptions): Promise<Team> {
  const surroundings = readSurroundings();
  const home = homeFolder(options.home);
  const repository = readRepository(projectFolder({ host: "cli", project: options.project }, surroundings));
  const config = await configure({
    home: options.home,
    projectRoot: repository.checkout,
    onProjectFault: () => undefined,
  });
  let known: TeamServer | undefined;
  // Whether a project is shared, and leaving, needs no server: its settings or its password may be gone.
  const server = () => (known ??= serverFor(config, options));
  const [clock, ids] = [systemClock, createIds(systemClock)];
  const stores = await openStoreFolder(home, options.askPassphrase);
  const storing = { clock, random: systemRandom, ...config.data, key: stores.key, isCurrent: stores.isCurrent };
  const global = await openSqliteStore({ path: join(stores.path, "global.db"), kind: "global", ...storing });
  const space = await openSpace(repository, { global, clock, ids, isGone: (path) => !existsSync(path) });
  const openLocal = () =>
    openSqliteStore({ path: join(stores.path, "spaces", `${space.id}.db`), kind: "project", ...storing });
  const world = {
    tokenizer: createTokenizer(),
    clock,
    log: SILENT,
    progress: options.progress ?? NO_PROGRESS,
    files: createFiles(surroundings.cwd, ownFolders(home, stores.path)),
    origin: { verb: "team", host: "cli", session: ids.next(), call: ids.next(), space: space.id },
  };
  const between = <T>(schema: string, direction: "push" | "pull", work: (from: Store, to: Store) => Promise<T>) =>
    withStores([() => openLocal(), () => openTeamSpace(server(), schema, { clock })], (local, shared) =>
      direction === "push" ? work(local, shared) : work(shared, local),
    );
  return {
    get server() {
      return serverName(server().url);
    },
    schemaNamed: (name) => needSchema(name ?? basename(repository.root)),
    projects: () => teamProjects(server()),
    here: { remote: repository.remote, firstCommit: repository.firstCommit },
    make: (schema) =>
      makeTeamSpace(server(), { schema, remote: repository.remote, firstCommit: repository.firstCommit }, { clock }),
    plan: (direction, schema) => between(schema, direction, planCopy),
    copy: (direction, schema) => between(schema, direction, (from, to) => copyProject(from, to, world)),
    ...sharingOf({ home, space, repository, server, isOther: options.user !== undefined }, { global, clock, ids }),
    close: () => global.close(),
  };
}

interface Sharing {
  home: string;
  space: Space;
  repository: Repository;
  server(): TeamServer;
  /** Whether the server is asked as another user than the one who uses this machine. */
  isOther: boolean;
}

/** What this machine keeps of a shared project: that it is, and whether hooks may record. */
function sharingOf(
  { home, space, repository, server, isOther }: Sharing,
  { global, clock, ids }: { global: Store; clock: Clock; ids: ReturnType<typeof createIds> },
): Pick<Team, "shared" | "condition" | "waiting" | "share" | "unshare"> {
  const projects = createSharedProjects(home);
  const spool = spoolFolder(home, repository.key);
  const reader = createReaderMark(spool);
  const shared = () => projects.find(space.id)?.schema ?? null;
  return {
    shared,
    async condition(schema) {
      const found = await examineTeam(server(), schema);
      if (!isOther && found.role !== null && shared() === schema) reader.note(!found.mayWrite, clock.now());
      return found;
    },
    waiting: async () => (await createSpool(() => spool).state()).files,
    async share(schema, mayWrite) {
      const own = await registerOwn(space, { global, clock, ids });
      projects.share(space.id, { schema, own });
      reader.note(!mayWrite, clock.now());
    },
    unshare() {
      projects.unshare(space.id);
      reader.note(false, clock.now());
    },
  };
}

/** Another user's password is not the one that the settings name. */
function serverFor(config: Config, { user, home }: TeamOptions): TeamServer {
  if (user === undefined) return teamServer(config, home);
  const { passwordFile: _, ...team } = config.team;
  const server = teamServer({ team }, home);
  return { ...server, url: asUser(server.url, user), password: teamPassword() };
}

function needSchema(name: string): string {
  const schema = schemaFor(name);
  if (schema !== null) return schema;
  throw new Failure(
    "invalid_input",
    `A project cannot be called "${name}".`,
    "Name it with --name, in letters or digits.",
  );
}

async function withStores<T>(
  open: readonly [() => Promise<Store>, () => Promise<Store>],
  work: (one: Store, other: Store) => Promise<T>,
): Promise<T> {
  const one = await open[0]();
  try {
    const other = await open[1]();
    try {
      return await work(one, other);
    } finally {
      await other.close();
    }
  } finally {
    await one.close();
  }
}

/** What stays on this machine has a space of its own, so that the project's former memory stays as it was. */
async function registerOwn(
  space: Space,
  { global, clock, ids }: { global: Store; clock: Clock; ids: ReturnType<typeof createIds> },
): Promise<string> {
  const key = ownKey(space.key);
  const known = (await global.spaces()).find((one) => one.key === key);
  if (known) return known.id;
  const own: Space = { ...space, id: ids.next(), key, remote: null, firstCommit: null, createdAt: clock.now() };
  const origin = { verb: "team", host: "cli", session: "", call: "", space: "" };
  const applied = await global.apply([{ kind: "insert_space", space: own }], origin);
  if (applied.status === "applied") return own.id;
  throw new Failure("conflict", "Another process is sharing the project.", "Try again.");
}
