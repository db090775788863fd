/**
 * What earlier answers told: ids, calls, backups, files. Later inputs are made of these.
 *
 * Which of them a field wants is guessed from where they were told: by the same verb, or under the
 * same name. So a memory's id meets the verbs for memories, and now and then those for backups.
 */
import { existsSync } from "node:fs";

const ENOUGH = 500;
const DEEPEST = 6;
const NEWEST = 8;

export interface Known {
  /** An id for this field of this verb; a stranger's when none was told. */
  id(choice: number, wanted: { verb: string; field: string }): string;
  /** A file that is there, or may be. */
  path(choice: number): string;
  /** Gives the files that the answer tells of. */
  learn(verb: string, answer: unknown): string[];
  /** For a home that knows nothing yet; files of others may still be there. */
  clear(): void;
}

interface Told {
  value: string;
  verb: string;
  key: string;
}

/** `folder` bounds which paths are used again; `files` are there from the beginning. */
export function createKnown(folder: string, files: readonly string[] = []): Known {
  const ids = new Map<string, Told>();
  const paths = new Set<string>();
  let lately: string[] = [];

  function visit(value: unknown, { key, ...told }: Omit<Told, "value">, depth: number): void {
    if (typeof value === "string" && value.startsWith(folder) && canBePath(value)) {
      paths.delete(value);
      paths.add(value);
      lately.push(value);
    } else if (typeof value === "string" && (key === "handle" || isIdentity(value))) {
      const name = `${told.verb} ${key} ${value}`;
      // Told again is new again.
      ids.delete(name);
      ids.set(name, { value, key, ...told });
    } else if (typeof value === "object" && value !== null && depth < DEEPEST) {
      for (const [name, part] of Object.entries(value))
        visit(part, { ...told, key: Array.isArray(value) ? key : name }, depth + 1);
    }
  }

  return {
    id(choice, { verb, field }) {
      const all = [...ids.values()];
      const own = all.filter((told) => told.verb === verb);
      const alike = all.filter((told) => told.key.startsWith(field));
      const wanted = [own, alike, all][choice % 3]!;
      return pick(wanted.length > 0 ? wanted : all, Math.floor(choice / 3))?.value ?? "nowhere";
    },
    path(choice) {
      const newest = [...paths].slice(-NEWEST);
      const wanted = choice % 3 === 0 || newest.length === 0 ? [...files, ...paths] : newest;
      return wanted[Math.floor(choice / 3) % wanted.length] ?? "nowhere";
    },
    learn(verb, answer) {
      lately = [];
      visit(answer, { verb, key: "" }, 0);
      for (const name of [...ids.keys()].slice(0, Math.max(0, ids.size - ENOUGH))) ids.delete(name);
      return lately;
    },
    clear() {
      ids.clear();
      for (const path of paths) if (!existsSync(path)) paths.delete(path);
    },
  };
}

/** Mostly a new one: those are likelier to be in a state that a verb accepts. */
function pick(list: readonly Told[], choice: number): Told | undefined {
  const reach = choice % 3 === 0 ? list.length : Math.min(NEWEST, list.length);
  return list[list.length - 1 - (Math.floor(choice / 3) % Math.max(1, reach))];
}

/** Of one name in a path, with the ending that a spoilt copy gets. */
const NAME_LIMIT_BYTES = 240;

/** A text may begin with a path and go on. */
const canBePath = (text: string): boolean =>
  text.split("/").every((name) => Buffer.byteLength(name) <= NAME_LIMIT_BYTES);

/** A short word with digits and separators, as no sentence has; times are none. */
function isIdentity(text: string): boolean {
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) return false;
  return text.length >= 8 && text.length <= 64 && /^[\w.:-]+$/.test(text) && /\d/.test(text) && text.includes("-");
}
