/** A data folder whose processes are played by embedders of one process, and what they do, counted. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHashEmbedder } from "../../../src/embed/embedders.ts";
import { createMeetingPlace, type MeetingPlaceOptions } from "../../../src/embed/shared-model/meeting-place.ts";
import { createOffered, type OfferedOptions } from "../../../src/embed/shared-model/offered-embedder.ts";
import type { Embedder } from "../../../src/ports.ts";
import { lockFile } from "../../../src/store/sqlite/file-lock.ts";

export interface Counted extends Embedder {
  /** The texts of every request that reached the model itself. */
  readonly requests: (readonly string[])[];
}

/** A model like the real one: cold until it is asked. `embed` may stand in for the work. */
export function counted(change: Partial<Embedder> = {}): Counted {
  const hash = createHashEmbedder();
  const requests: (readonly string[])[] = [];
  let state: ReturnType<Embedder["state"]> = "cold";
  return {
    ...hash,
    requests,
    state: () => state,
    async load() {
      state = "ready";
    },
    async embed(texts) {
      state = "ready";
      requests.push(texts);
      return (change.embed ?? hash.embed)(texts);
    },
    async close() {
      state = "absent";
    },
    ...(change.state && { state: change.state }),
    ...(change.load && { load: change.load }),
  };
}

/** Never over, unless a test says so. */
export const patient = (): Promise<never> => new Promise(() => undefined);

export interface House extends AsyncDisposable {
  readonly home: string;
  readonly run: string;
  place(options?: Partial<MeetingPlaceOptions>): ReturnType<typeof createMeetingPlace>;
  join(part: OfferedOptions["part"], own?: Embedder, options?: Partial<OfferedOptions>): Embedder;
}

export function openHouse(): House {
  const home = mkdtempSync(join(tmpdir(), "stele-house-"));
  const opened: Embedder[] = [];
  const place: House["place"] = (options) =>
    createMeetingPlace({ home, runtimeFolder: join(home, "runtime"), ...options });
  return {
    home,
    run: join(home, "run"),
    place,
    join(part, own = counted(), options = {}) {
      const common = { lock: lockFile, longestTextCharacters: 1_000, patience: patient, haste: patient };
      const embedder = createOffered({ part, own, place: place(), ...common, ...options });
      opened.push(embedder);
      return embedder;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((embedder) => embedder.close()));
      rmSync(home, { recursive: true });
    },
  };
}
