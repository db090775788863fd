/**
 * A team's server, and the project that is shared there.
 *
 * Rights are roles of the database. Names of roles follow from the name of the schema, so that whoever reads one knows
 * the other.
 */
import { isLoopback } from "../remote/provider.ts";

/** What a person may do in a shared project; each may do what those before it may. */
export const TEAM_ROLES = ["reader", "writer", "ratifier"] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** That a project is shared, as this machine keeps it. */
export interface SharedProject {
  /** The schema on the server. */
  schema: string;
  /** The space of what stays on this machine: working memories, notes and the index of files. */
  own: string;
}

/** A project on the server. */
export interface TeamProject {
  schema: string;
  /** What identifies the repository; null where there is none. */
  remote: string | null;
  firstCommit: string | null;
}

/** How to reach the server. */
export interface TeamServer {
  url: string;
  password?: string | undefined;
  /** Null: not encrypted. */
  tls: { ca: string | null } | null;
  /** Who one says to be, in the journal. */
  name: string | null;
}

/** What is known about the connection to a space. */
export interface TeamCondition {
  server: string;
  user: string;
  isEncrypted: boolean;
  /** The highest whose rights the user has; null if there is none. */
  role: TeamRole | null;
  /** The highest that was granted. One that the user does not inherit gives no rights. */
  granted: TeamRole | null;
  mayWrite: boolean;
  /** Null if there is no such space. */
  version: number | null;
  newest: number;
  extensions: string[];
  roundTripMs: number;
}

/** Everything that belongs to Stele begins with this. */
export const SCHEMA_PREFIX = "stele_";
/** With its longest ending a role still fits into a name of Postgres. */
const LONGEST_SCHEMA = 63 - "_ratifier".length;

export const isSchemaName = (text: string): boolean =>
  text.length <= LONGEST_SCHEMA && /^stele_[a-z0-9][a-z0-9_]*$/.test(text);

/** The schema of a project that a person calls so. Null if nothing usable is left of the name. */
export function schemaFor(name: string): string | null {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+/, "")
    .slice(0, LONGEST_SCHEMA - SCHEMA_PREFIX.length)
    .replace(/_+$/, "");
  return plain === "" ? null : `${SCHEMA_PREFIX}${plain}`;
}

/** As the person called it. */
export const nameOfSchema = (schema: string): string => schema.slice(SCHEMA_PREFIX.length);

export const roleOf = (schema: string, role: TeamRole | "owner"): string => `${schema}_${role}`;

/** For a role that was granted and gives no rights. */
export const howToInherit = (role: string, user: string): string =>
  `Ask whoever manages the server: \`grant ${role} to ${user} with inherit true\`, before Postgres 16 \`alter role ${user} inherit\`.`;

interface Address {
  user: string;
  /** Null if there is none. */
  password: string | null;
  host: string;
  database: string;
  rest: string;
}

function addressOf(text: string): Address | null {
  const found = /^postgres(?:ql)?:\/\/(?:([^@/?#:]*)(?::([^@/?#]*))?@)?([^/?#@]*)(?:\/([^/?#]*))?(.*)$/s.exec(text);
  if (!found) return null;
  const [, user = "", password = null, host = "", database = "", rest = ""] = found;
  return { user, password, host, database, rest };
}

/** What is wrong with the address of a server, without repeating it: it may contain a password. */
export function serverFault(text: string): string | null {
  const address = addressOf(text);
  if (address === null) return "must begin with postgres://";
  if (address.password !== null)
    return "must not contain a password; put it in STELE_TEAM_PASSWORD or in the file that team.passwordFile names";
  if (address.host.replace(/:\d*$/, "") === "") return "must name a server";
  if (!URL.canParse(text)) return "is not a valid one; check its port, and that special characters are escaped";
  if (address.user === "") return "must name a user";
  if (address.database === "") return "must name a database";
  return address.rest === "" ? null : "must end with the database";
}

/** Whether the connection never leaves this machine. */
export const isOnThisMachine = (address: string): boolean => isLoopback(new URL(address).hostname);

/** For people: where the server is, and nothing else. */
export function serverName(text: string): string {
  const address = addressOf(text);
  return address === null ? "?" : `${address.host}/${address.database}`;
}

/** The same server and database, for another user. */
export const asUser = (text: string, user: string): string =>
  text.replace(/\/\/[^@/?#]*@/, () => `//${encodeURIComponent(user)}@`);
