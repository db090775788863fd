/**
 * The stores of the user's other projects, for erasures, which must reach all of them.
 *
 * A memory promoted to global is still in the journal of the project it came from, and any project may show a global one
 * on the surface that it keeps.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { StoreFolder } from "../../encryption/store-key.ts";
import type { OtherSpaces } from "../../ports.ts";
import type { Clock } from "../../world.ts";
import type { Erasure } from "./backup/backup-erase.ts";
import { openSqliteStore } from "./store.ts";

interface OtherSpacesOptions {
  folder: string;
  /** The file of the current project. */
  except: string;
  clock: Clock;
  key?: StoreFolder["key"];
  isCurrent?: StoreFolder["isCurrent"];
}

export function createOtherSpaces({ folder, except, key = null, ...opening }: OtherSpacesOptions): OtherSpaces {
  const paths = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".db"))
      .map((name) => join(folder, name))
      .filter((path) => path !== except);

  async function clean(path: string, { ids, queries }: Erasure, origin: Parameters<OtherSpaces["erase"]>[2]) {
    const { mentions } = await erasing();
    if (!mentions(path, { ids, queries }, key)) return true;
    const store = await openSqliteStore({ path, kind: "project", key, ...opening });
    try {
      await store.apply([{ kind: "purge_items", ids: [...ids], queries: [...queries] }], origin);
      return await store.compact();
    } finally {
      await store.close();
    }
  }

  return {
    async mention(ids) {
      const { mentions } = await erasing();
      return paths().some((path) => {
        try {
          return mentions(path, { ids, queries: [] }, key);
        } catch {
          // An unreadable file is reported by `erase`.
          return false;
        }
      });
    },
    async erase(ids, queries, origin) {
      const traces: string[] = [];
      for (const path of paths()) {
        // A file that cannot be opened cannot be cleaned; its own project will report the damage.
        if (!(await clean(path, { ids, queries }, origin).catch(() => false))) traces.push(path);
      }
      return traces;
    },
  };
}

/** Loaded on demand, because few commands need it. */
const erasing = () => import("./backup/backup-erase.ts");
