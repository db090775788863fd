/** A fresh project in a temporary folder, written to through the functions that the verbs call. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorld } from "../../src/app/compose.ts";
import { type Ask, dispatch } from "../../src/catalog/dispatch.ts";
import propose from "../../src/decisions/verbs/propose.ts";
import ratify from "../../src/decisions/verbs/ratify.ts";
import { drain } from "../../src/maintenance/backfill.ts";
import type { MemoryType } from "../../src/memory/item.ts";
import type { Near } from "../../src/memory/near-pair.ts";
import { remember } from "../../src/memory/remember.ts";
import type { Embedder } from "../../src/ports.ts";
import type { World } from "../../src/world.ts";

export interface Place {
  world: World;
  /** What the program announces about it. */
  remember(content: string, type?: MemoryType, compare?: boolean): Promise<{ id: string; near: Near[] }>;
  /** A decision that a person ratified. */
  decide(subject: string, decision: string): Promise<void>;
  /** Embeds what waits, if there is a model. */
  embed(): Promise<void>;
  close(): Promise<void>;
}

/** With an embedder, vectors are used; it must be ready. */
export async function freshPlace(embedder: Embedder | null): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "stele-bench-similar-"));
  const project = join(folder, "project");
  mkdirSync(project);
  const settings = { embedder: { provider: "none" } } as const;
  const opened = await openWorld({ host: "bench", home: join(folder, "home"), project, settings });
  const world = { ...opened.world, ...(embedder && { embedder }) };
  const ask: Ask = async () => ({ action: "accept", values: { ratify: true } });
  return {
    world,
    async remember(content, type = "fact", compare = true) {
      const context = { files: [], symbols: [] };
      return remember({ content, type, tags: [], scope: "project", context, compare }, world);
    },
    async decide(subject, decision) {
      const { answer } = await dispatch(propose, { subject, decision }, world);
      await dispatch(ratify, { id: answer.id }, world, { ask });
    },
    async embed() {
      if (embedder) while ((await drain(world.project, world, { batch: 64 })) > 0);
    },
    async close() {
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
