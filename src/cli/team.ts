/**
 * `stele team`: shares a project's memory with a team on a Postgres server of its own, and takes it back.
 *
 * Nothing is sent or changed before a person has read what will happen and agreed, or `--yes` was given.
 */
import { Failure, isForbidden, toFailure } from "../errors.ts";
import {
  howToInherit,
  nameOfSchema,
  roleOf,
  TEAM_ROLES,
  type TeamCondition,
  type TeamProject,
  type TeamRole,
} from "../team/team.ts";
import { counted } from "../text/short-text.ts";
import { commandFlags } from "./commands.ts";
import { promptAt } from "./prompt.ts";
import { type Io, type Terminal, terminal } from "./terminal.ts";

/** What `stele team` tells a person. */
interface Plan {
  shelves: { shelf: string; items: number; known: number }[];
  items: number;
  known: number;
}

interface Copied {
  inserted: number;
  updated: number;
  unchanged: number;
  older: number;
  edges: { inserted: number; unchanged: number };
  conflicts: { handle: string; shelf: string; reason: string }[];
  conflictCount: number;
  journal: { adopted: number; skipped: number; reason: string | null };
}

/** Both copies as one. What differs, differs for the later one too, which also finds what was changed in between. */
const withLater = (copied: Copied, { conflicts, conflictCount, ...later }: Copied): Copied => ({
  ...copied,
  conflicts,
  conflictCount,
  inserted: copied.inserted + later.inserted,
  updated: copied.updated + later.updated,
  edges: { ...copied.edges, inserted: copied.edges.inserted + later.edges.inserted },
});

const howToAdd = (schema: string): string[] => [
  "To add a person, run this on the server, with their name and a password:",
  "  create role NAME login password '…';",
  `  grant ${roleOf(schema, "writer")} to NAME;`,
  "They name the server in their own settings (team.url), and run `stele team join` in the project.",
  "Whoever has the project's memory so far runs `stele team push` instead.",
];

const countLines = ({ shelves, items }: Plan): string[] =>
  items === 0
    ? ["  nothing yet."]
    : shelves
        .filter((one) => one.items > 0)
        .map(
          ({ shelf, items: all, known }) =>
            `  ${shelf}: ${all}${known > 0 ? `, of which ${known} ${known === 1 ? "is" : "are"} there` : ""}`,
        );

type Held = Pick<TeamCondition, "user" | "role" | "granted" | "mayWrite">;

/** What a person should know about their role: that it gives no rights, or only those of a reader. */
const roleLines = (held: Held, schema: string, reports: number): string[] => [
  ...(held.granted === null || held.granted === held.role
    ? []
    : [
        `You were granted the role of a ${held.granted}, but do not inherit its rights.`,
        howToInherit(roleOf(schema, held.granted), held.user),
      ]),
  ...(held.role === null || held.mayWrite ? [] : readerLines(reports)),
];

function readerLines(reports: number): string[] {
  const waiting = `${counted(reports, "report waits", "reports wait")} here until you are a writer.`;
  return [
    "A reader's sessions are not captured: hooks record nothing in this project.",
    ...(reports === 0 ? [] : [`From before, ${waiting}`]),
  ];
}

const CONFLICTS_TOLD = 5;

export function copiedLines(copied: Copied, whose: string): string[] {
  const { inserted, updated, unchanged, older, edges, conflicts, conflictCount, journal } = copied;
  return [
    `Items: ${inserted} new, ${updated} newer than before, ${unchanged + older} there already. Relations: ${edges.inserted} new.`,
    ...(journal.adopted > 0 ? [`Journal: ${counted(journal.adopted, "entry", "entries")}.`] : []),
    ...(journal.reason === null ? [] : [`Journal: not copied, because ${journal.reason}.`]),
    ...(conflictCount > 0
      ? [`${counted(conflictCount, "item differs", "items differ")}; ${whose} version stays:`]
      : []),
    ...conflicts.slice(0, CONFLICTS_TOLD).map(({ handle, shelf, reason }) => `  ${shelf} ${handle}: ${reason}`),
  ];
}

type Direction = "push" | "pull";

/** The team's server and the project here, as this command sees them. */
export interface Team {
  /** Where the server is; fails if the settings name none. */
  readonly server: string;
  /** What identifies the repository here. */
  readonly here: Omit<TeamProject, "schema">;
  /** The schema of the project here; null if it is not shared. */
  shared(): string | null;
  /** The schema of a project that is called so; of the one here when omitted. */
  schemaNamed(name?: string): string;
  condition(schema: string): Promise<TeamCondition>;
  /** The projects that the user may read. */
  projects(): Promise<TeamProject[]>;
  make(schema: string): Promise<{ isKnown: boolean }>;
  plan(direction: Direction, schema: string): Promise<Plan>;
  copy(direction: Direction, schema: string): Promise<Copied>;
  /** How many reports of hooks nobody has taken in yet. */
  waiting(): Promise<number>;
  share(schema: string, mayWrite: boolean): Promise<void>;
  unshare(): void;
  close(): Promise<void>;
}

interface TeamOptions {
  io: Io;
  /** Whether a person, not a program, is at the terminal. */
  attended: boolean;
  open(options: { project: string | undefined; user: string | undefined }): Promise<Team>;
}

interface Flags {
  name: string | undefined;
  user: string | undefined;
  project: string | undefined;
  dryRun: boolean;
  yes: boolean;
  json: boolean;
}

interface Call {
  team: Team;
  flags: Flags;
  options: TeamOptions;
  screen: Terminal;
}

/** What was done, for people and for programs. */
interface Told {
  text: string[];
  document: Record<string, unknown>;
}

const COMMANDS: Record<string, (call: Call) => Promise<Told>> = { init, join, push, pull, status, leave };

export async function runTeam(argv: readonly string[], options: TeamOptions): Promise<number> {
  const screen = terminal(options.io, { json: argv.includes("--json") });
  try {
    const { command, flags } = parsed(argv);
    const team = await options.open({ project: flags.project, user: flags.user });
    try {
      const { text, document } = await COMMANDS[command]!({ team, flags, options, screen });
      await (flags.json ? screen.document(document) : screen.text(text.join("\n")));
      return 0;
    } finally {
      await team.close();
    }
  } catch (thrown) {
    return await screen.failure(toFailure(thrown));
  }
}

async function init(call: Call): Promise<Told> {
  const { team, flags } = call;
  const schema = team.schemaNamed(flags.name);
  const plan = [
    `On ${team.server}, the project ${nameOfSchema(schema)} gets a schema, ${schema}, and roles for the people who share it:`,
    `  ${roleOf(schema, "reader")}: reads.`,
    `  ${roleOf(schema, "writer")}: reads, remembers and proposes.`,
    `  ${roleOf(schema, "ratifier")}: decides as well.`,
  ];
  if (flags.dryRun) return planned(plan, { schema });
  await agree("Make them now?", plan, call);
  const { isKnown } = await team.make(schema).catch((thrown: unknown) => {
    throw isForbidden(thrown) ? notManager(team.server, thrown) : thrown;
  });
  return {
    text: [
      isKnown ? `${schema} is up to date.` : `Made ${schema} and its roles on ${team.server}.`,
      "",
      ...howToAdd(schema),
    ],
    document: { status: isKnown ? "updated" : "made", server: team.server, schema, roles: rolesOf(schema) },
  };
}

const notManager = (server: string, cause: unknown): Failure =>
  new Failure(
    "refused",
    `You may not make schemas and roles on ${server}.`,
    "Name a user who may with --user, such as --user postgres; STELE_TEAM_PASSWORD is then that user's password.",
    { cause },
  );

const rolesOf = (schema: string) => Object.fromEntries(TEAM_ROLES.map((role) => [role, roleOf(schema, role)]));

async function join(call: Call): Promise<Told> {
  const { team, flags } = call;
  const schema = await schemaOnServer(call);
  const known = team.shared();
  if (known === schema) return already(schema, team);
  const { role, mayWrite, ...found } = await needRole(schema, team);
  const plan = [
    `The memory of this project will be that of ${nameOfSchema(schema)} on ${team.server}, which you use as ${role}.`,
    "What this machine knows of the project stays here, and is not shared; `stele team push` shares it.",
    ...roleLines({ role, mayWrite, ...found }, schema, await team.waiting()),
  ];
  if (flags.dryRun) return planned(plan, { schema, role });
  await agree("Join now?", plan, call);
  await team.share(schema, mayWrite);
  return {
    text: [`This project is shared now: ${nameOfSchema(schema)} on ${team.server}, as ${role}.`],
    document: { status: "joined", server: team.server, schema, role },
  };
}

async function push(call: Call): Promise<Told> {
  const { team, flags } = call;
  const schema = await schemaOnServer(call);
  const { role, mayWrite } = await needRole(schema, team);
  if (!mayWrite) throw lacking("writer", schema);
  const counts = await team.plan("push", schema);
  const decisions = counts.shelves.find(({ shelf }) => shelf === "decision");
  const isNew = (decisions?.items ?? 0) > (decisions?.known ?? 0);
  if (isNew && role !== "ratifier") throw lacking("ratifier", schema);
  const plan = [
    `What this project remembers goes to ${nameOfSchema(schema)} on ${team.server}, where everybody with a role in it can read it:`,
    ...countLines(counts),
    "Working memories, notes, the index of files and your global memories stay on this machine.",
  ];
  if (flags.dryRun) return planned(plan, { schema, ...counts });
  await agree("Send it and share the project?", plan, call);
  const before = await team.copy("push", schema);
  await team.share(schema, mayWrite);
  // Until now a server that runs here has written to the memory of this machine.
  const copied = withLater(before, await team.copy("push", schema));
  const text = [`Shared: ${nameOfSchema(schema)} on ${team.server}.`, ...copiedLines(copied, "the server's")];
  return { text, document: { status: "pushed", server: team.server, schema, ...copied } };
}

async function pull(call: Call): Promise<Told> {
  const { team, flags } = call;
  const schema = team.shared();
  if (schema === null) throw notShared();
  const counts = await team.plan("pull", schema);
  const plan = [
    `The memory of ${nameOfSchema(schema)} on ${team.server} is copied to this machine, beside what is here:`,
    ...countLines(counts),
    "The project stays shared; `stele team leave` goes on with the copy.",
  ];
  if (flags.dryRun) return planned(plan, { schema, ...counts });
  await agree("Copy it now?", plan, call);
  const copied = await team.copy("pull", schema);
  return {
    text: [`Copied from ${team.server}.`, ...copiedLines(copied, "this machine's")],
    document: { status: "pulled", server: team.server, schema, ...copied },
  };
}

async function status({ team }: Call): Promise<Told> {
  const schema = team.shared();
  if (schema === null) {
    const text = ["This project is not shared.", "`stele team join` or `stele team push` shares it."];
    return { text, document: { status: "not shared" } };
  }
  const found = await team.condition(schema);
  const { user, role, mayWrite, isEncrypted, version, newest, roundTripMs } = found;
  const reports = await team.waiting();
  return {
    text: [
      `Shared: ${nameOfSchema(schema)} on ${team.server}.`,
      `You are ${user}, ${role === null ? "without a role in it" : `a ${role}`}.`,
      `${found.server}; ${isEncrypted ? "encrypted" : "not encrypted"}; schema ${version ?? "none"}${version === newest ? "" : `, this Stele needs ${newest}`}; ${roundTripMs.toFixed(1)} ms there and back.`,
      ...roleLines(found, schema, reports),
    ],
    document: { status: "shared", schema, ...found, host: team.server, records: role === null || mayWrite, reports },
  };
}

async function leave(call: Call): Promise<Told> {
  const { team, flags } = call;
  const schema = team.shared();
  if (schema === null) throw notShared();
  const plan = [
    `This project goes on with the memory of this machine, as it was before it was shared or after the last \`stele team pull\`.`,
    "Nothing on the server is changed, and others keep it.",
  ];
  if (flags.dryRun) return planned(plan, { schema });
  await agree("Leave now?", plan, call);
  team.unshare();
  return { text: ["This project is no longer shared here."], document: { status: "left", schema } };
}

/** By its name, or the one of this repository. */
async function schemaOnServer({ team, flags }: Call): Promise<string> {
  const known = team.shared();
  if (known !== null && flags.name === undefined) return known;
  const projects = await team.projects();
  const wanted = flags.name === undefined ? null : team.schemaNamed(flags.name);
  const { remote, firstCommit } = team.here;
  const isThis = (project: TeamProject) =>
    firstCommit !== null && project.firstCommit === firstCommit && project.remote === remote;
  const found = projects.filter((project) => (wanted === null ? isThis(project) : project.schema === wanted));
  if (found.length === 1) return found[0]!.schema;
  const names = projects.map(({ schema }) => nameOfSchema(schema)).join(", ");
  throw new Failure(
    "not_found",
    found.length > 1
      ? `Several projects on ${team.server} are of this repository.`
      : `You have no role in a project of this ${wanted === null ? "repository" : "name"} on ${team.server}.`,
    names === ""
      ? "Ask whoever manages the server to run `stele team init` here and to give you a role."
      : `Name one with --name: ${names}. Or ask whoever manages the server to run \`stele team init\`.`,
  );
}

async function needRole(schema: string, team: Team): Promise<TeamCondition & { role: TeamRole }> {
  const { role, ...found } = await team.condition(schema);
  if (role !== null) return { role, ...found };
  const { user, granted } = found;
  throw new Failure(
    "refused",
    `${user} has no role in ${nameOfSchema(schema)}${granted === null ? "" : " whose rights it inherits"}.`,
    granted === null
      ? `Ask whoever manages the server: \`grant ${roleOf(schema, "writer")} to ${user}\`.`
      : howToInherit(roleOf(schema, granted), user),
  );
}

const lacking = (role: TeamRole, schema: string): Failure =>
  new Failure(
    "refused",
    role === "ratifier" ? "Decisions would be sent, and only a ratifier decides." : "A reader cannot send anything.",
    `Ask for the role ${roleOf(schema, role)}. Nothing was sent.`,
  );

const notShared = (): Failure =>
  new Failure("conflict", "This project is not shared.", "`stele team join` or `stele team push` shares it.");

const already = (schema: string, team: Team): Told => ({
  text: [`This project is shared already: ${nameOfSchema(schema)} on ${team.server}.`],
  document: { status: "unchanged", server: team.server, schema },
});

const planned = (text: string[], document: object): Told => ({ text, document: { status: "planned", ...document } });

async function agree(label: string, plan: string[], { flags, options }: Call): Promise<void> {
  // What it means is said even to whoever agreed in advance.
  if (flags.yes) return void (flags.json ? null : options.io.stderr.write(`${plan.join("\n")}\n`));
  const ask = promptAt(options.io, options);
  if (!ask) throw new Failure("refused", "This needs confirmation.", "Add --yes to confirm in advance.");
  const reply = await ask({ message: plan.join("\n"), fields: { agreed: { kind: "confirm", label } } });
  if (reply.action === "accept" && reply.values["agreed"] === true) return;
  throw new Failure("refused", "Nothing was changed.", "Run it again when you are ready, or add --yes.");
}

const TEXT = { type: "string" } as const;
const FLAG = { type: "boolean", default: false } as const;
const FLAGS = { name: TEXT, user: TEXT, project: TEXT, "dry-run": FLAG, yes: FLAG, json: FLAG } as const;

function parsed(argv: readonly string[]): { command: string; flags: Flags } {
  const { values, positionals } = commandFlags("team", argv, { options: FLAGS, allowPositionals: true });
  const [command = "status", ...others] = positionals;
  if (!Object.hasOwn(COMMANDS, command) || others.length > 0) {
    const hint = `Write one of ${Object.keys(COMMANDS).join(", ")}; \`stele team --help\` describes them.`;
    throw new Failure("invalid_input", `There is no command "team ${positionals.join(" ")}".`, hint);
  }
  const { name, user, project, yes, json } = values;
  return { command, flags: { name, user, project, yes, json, dryRun: values["dry-run"] } };
}
