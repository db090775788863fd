/**
 * Configuration: one schema, filled from settings files, the environment and flags.
 *
 * The user's file, then the project's, then `STELE_*`, then flags; later ones win. A cloned
 * repository is not trusted, so its file may set a few groups only and cannot undo what the
 * user has set. An unknown key is an error that names the nearest known one, because a
 * typo that is silently ignored is a trap.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { Failure, nearest, toFailure } from "../errors.ts";
import { demandOf } from "../text/text.ts";
import { ENVIRONMENT, type Environment, PROJECT_FILE, userFile } from "./environment.ts";
import { Config } from "./settings.ts";

export type { Config };

/** The groups a project's file may set. Providers, routing and paths are the user's alone. */
export const PROJECT_GROUPS: readonly string[] = ["index", "labels", "surface"];

export interface ConfigSources {
  home?: string | undefined;
  projectRoot?: string | undefined;
  env?: Environment;
  flags?: Record<string, Record<string, unknown>>;
  /** Told which settings of an earlier version are still there, and no longer count. */
  onGone?: (notice: string) => void;
  /** Called when the project's file cannot be used and is left out. Without it, that is a failure. */
  onProjectFault?: (failure: Failure) => void;
}

/** A repository whose file is broken must not keep anyone from their memory. */
export function loadConfig(sources: ConfigSources = {}): Config {
  const { onProjectFault, projectRoot, ...others } = sources;
  if (!onProjectFault) return loadStrictly(sources);
  try {
    return loadStrictly(sources);
  } catch (thrown) {
    // If it is not the project's fault, this fails too.
    const config = loadStrictly(others);
    onProjectFault(toFailure(thrown));
    return config;
  }
}

function loadStrictly({ home, projectRoot, env = ENVIRONMENT, flags = {}, onGone }: ConfigSources): Config {
  const ownFile = userFile(home, env);
  const gone: string[] = [];
  const user = readSettings(ownFile, { gone });
  const project = projectRoot ? readSettings(join(projectRoot, PROJECT_FILE), { project: { ownFile }, gone }) : {};
  refuseReincluding(project, projectRoot);
  const bounded = boundedBy(user, check(user, ownFile), project);
  const merged: Record<string, Record<string, unknown>> = {};
  for (const layer of [user, bounded, fromEnvironment(env), withoutGone(flags, gone)]) {
    for (const [group, values] of Object.entries(layer)) merged[group] = { ...merged[group], ...values };
  }
  const config = check(merged, "the settings");
  for (const path of new Set(gone)) onGone?.(`${path} in your settings no longer counts: ${GONE[path]!} (remove it)`);
  return config;
}

/** Settings of earlier versions: a file that has them is still good. */
const GONE: Readonly<Record<string, string>> = {
  "team.vectorsInMemory": "a process holds the vectors of at most a million passages of a shelf",
};

function withoutGone(layer: Layer, gone: string[]): Layer {
  const rest: Layer = { ...layer };
  for (const path of Object.keys(GONE)) {
    const [group, name] = path.split(".") as [string, string];
    const values: unknown = rest[group];
    if (typeof values !== "object" || values === null || !Object.hasOwn(values, name)) continue;
    const { [name]: _, ...others } = values as Record<string, unknown>;
    rest[group] = others;
    gone.push(path);
  }
  return rest;
}

type Layer = Record<string, Record<string, unknown>>;

/** Settings override every ignore file, so an untrusted project must not re-include what those exclude. */
function refuseReincluding(project: Layer, root = ""): void {
  const { excludes } = project["index"] ?? {};
  const reincluded = Array.isArray(excludes)
    ? excludes.find((pattern) => String(pattern).trimStart().startsWith("!"))
    : undefined;
  if (reincluded === undefined) return;
  throw new Failure(
    "invalid_input",
    `index.excludes in ${join(root, PROJECT_FILE)} re-includes "${reincluded}", which a project is not allowed to do.`,
    "Only your own settings and .steleignore may re-include skipped files.",
  );
}

/** Numbers that are no limits: the project's value holds unless the user has set one. */
const NOT_LIMITS: ReadonlySet<string> = new Set(["debounceMs", "chunkLines", "chunkOverlap"]);

/** The project's settings as far as the user's allow: it may exclude more and read less, never the opposite. */
function boundedBy(user: Layer, { index, labels }: Config, project: Layer): Layer {
  const bounded: Layer = { ...project };
  if (project["index"]) {
    const userSettings: Record<string, unknown> = index;
    const settings = Object.entries(project["index"]).map(([name, value]) => {
      const own = userSettings[name];
      // The last matching pattern decides, so the user's exclusions come last.
      if (Array.isArray(value) && Array.isArray(own)) return [name, [...value, ...own]];
      const isBound = typeof value === "number" && typeof own === "number" && !NOT_LIMITS.has(name);
      if (isBound) return [name, Math.min(value, own)];
      return [name, user["index"]?.[name] ?? value];
    });
    bounded["index"] = Object.fromEntries(settings);
  }
  if (project["surface"]) bounded["surface"] = { ...project["surface"], ...user["surface"] };
  // The first matching rule decides, so the user's rules come first.
  const { rules } = project["labels"] ?? {};
  if (Array.isArray(rules)) bounded["labels"] = { rules: [...labels.rules, ...rules] };
  return bounded;
}

/** With `project`, the file is a project's and may set only some groups. */
function readSettings(path: string, { project, gone }: { project?: { ownFile: string }; gone: string[] }): Layer {
  const value = withoutGone(parse(path) as Layer, gone);
  const forbidden = project ? Object.keys(value).find((group) => !PROJECT_GROUPS.includes(group)) : undefined;
  if (project && forbidden !== undefined) {
    throw new Failure(
      "invalid_input",
      `${path} sets "${forbidden}", which a project is not allowed to do.`,
      `Remove it: a project's file may set ${PROJECT_GROUPS.join(", ")}. Only if you trust this repository, set it in your own ${project.ownFile}.`,
    );
  }
  check(value, path);
  return value;
}

const FILE_LIMIT_BYTES = 1_000_000;

/** The content of a settings file; empty when there is no file. */
function parse(path: string): Record<string, unknown> {
  const text = readText(path);
  if (text === null) return {};
  const value = fromJson(text, path);
  if (value !== null && typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Failure(
    "invalid_input",
    `${path} must contain one JSON object.`,
    'For example {"embedder": {"provider": "none"}}.',
  );
}

/** The parser's message is dropped: it quotes the file, which may be a link to something private. */
function fromJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("invalid_input", `${path} cannot be read as JSON.`, "Correct the file.");
  }
}

function readText(path: string): string | null {
  const fault = (why: string) =>
    new Failure("invalid_input", `${path} cannot be read as JSON: ${why}.`, "Move it elsewhere.");
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    // Reading a pipe or a device could block for ever.
    if (!found.isFile()) throw fault("it is not a regular file");
    if (found.size > FILE_LIMIT_BYTES) throw fault("it is larger than 1 MB");
    return readFileSync(path, "utf8");
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    const { code = "a fault" } = thrown as NodeJS.ErrnoException;
    throw new Failure("unavailable", `${path} cannot be read (${code}).`, "Check its permissions.", { cause: thrown });
  }
}

const ALLOWED_VALUES = "See docs/configuration.md for the allowed values.";

function check(value: unknown, where: string): Config {
  const result = Config.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const path = issue.path.join(".");
  if (issue.code === "unrecognized_keys") throw unknownKey(issue.keys[0]!, path, where);
  throw new Failure("invalid_input", `${path} in ${where}: ${demandOf(issue)}.`, ALLOWED_VALUES);
}

function unknownKey(key: string, group: string, where: string): Failure {
  const paths = settings().map(({ path }) => path);
  const inGroup = paths.filter((path) => path.startsWith(`${group}.`));
  const known = group ? inGroup : [...new Set(paths.map((path) => path.split(".")[0]!))];
  const name = group ? `${group}.${key}` : key;
  // The right name in the wrong group is a likelier mistake than a typo.
  const close = paths.find((path) => path.endsWith(`.${key}`)) ?? nearestName(key, known);
  const hint = close ? `Did you mean "${close}"?` : `Known settings: ${known.join(", ")}.`;
  return new Failure("invalid_input", `Unknown setting "${name}" in ${where}.`, hint);
}

function nearestName(key: string, paths: readonly string[]): string | undefined {
  const close = nearest(
    key,
    paths.map((path) => path.split(".").at(-1)!),
  );
  return paths.find((path) => path.split(".").at(-1) === close);
}

interface SettingInfo {
  path: string;
  env: string;
  /** The only values that its variable may have; any when omitted. */
  inVariable?: readonly string[] | undefined;
  schema: z.ZodType;
}

/** Every setting of the schema; the reference page is generated from it too. */
export function settings(): SettingInfo[] {
  return Object.entries(Config.shape).flatMap(([group, schema]) =>
    Object.entries(schema.unwrap().shape).map(([name, field]) => ({
      path: `${group}.${name}`,
      env: String((field as z.ZodType).meta()?.["env"] ?? ""),
      inVariable: (field as z.ZodType).meta()?.["inVariable"] as readonly string[] | undefined,
      schema: field as z.ZodType,
    })),
  );
}

function fromEnvironment(env: Environment): Layer {
  const layer: Layer = {};
  for (const { path, env: variable, schema, inVariable } of settings()) {
    const text = env[variable]?.trim();
    if (text === undefined || text === "") continue;
    if (inVariable?.includes(text) === false && schema.safeParse(text).success) throw fileOnly(variable, path);
    const [group, name] = path.split(".") as [string, string];
    const isNumber = typeof schema.safeParse(undefined).data === "number";
    const parsed = schema.safeParse(isNumber ? Number(text) : text);
    // The message names the variable, because the user may not know the path of the setting.
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new Failure("invalid_input", `${variable} (${path}): ${demandOf(issue!)}.`, ALLOWED_VALUES);
    }
    layer[group] = { ...layer[group], [name]: parsed.data };
  }
  return layer;
}

/** A project can set variables, for example through the settings of a host. */
const fileOnly = (variable: string, path: string) =>
  new Failure(
    "invalid_input",
    `${variable} cannot choose a remote provider.`,
    `Set ${path} in your own settings file.`,
  );
