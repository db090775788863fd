/** Asks as the hooks of a session do: at its start, then with its first prompts. */
import { contextAtStart } from "../../src/briefing/inject-at-start.ts";
import { contextForPrompt } from "../../src/briefing/inject-for-prompt.ts";
import type { World } from "../../src/world.ts";

export interface Handed {
  text: string;
  tokens: number;
  /** Sessions that it is from; of a memory, the one that it was made in. */
  sources: string[];
}

export interface Asked {
  start: Handed | null;
  /** Null where the hook is silent. */
  prompts: (Handed | null)[];
}

/** What the agent said last only matters to nudges, which are no memory. */
const ASKING = { transcript: null, isLate: () => false };
const SHELVES = ["memory", "decision", "proposal"] as const;
const HANDOVERS_MOST = 20;

export async function askAll(
  session: string,
  prompts: readonly string[],
  promptTokens: number,
  world: World,
): Promise<Asked> {
  const report = `${session} start`;
  const text = await contextAtStart({ report, session, source: "startup", isLate: ASKING.isLate }, world);
  const asked: Asked = { start: text === null ? null : await handedIn(session, report, world), prompts: [] };
  for (const prompt of prompts) asked.prompts.push(await askOne(session, prompt, promptTokens, world));
  return asked;
}

let asked = 0;

export async function askOne(
  session: string,
  prompt: string,
  mostTokens: number,
  world: World,
): Promise<Handed | null> {
  const report = `${session} prompt ${(asked += 1)}`;
  const text = await contextForPrompt({ report, session, prompt, mostTokens, ...ASKING }, world);
  return text === null ? null : handedIn(session, report, world);
}

async function handedIn(session: string, report: string, { project, global }: World): Promise<Handed | null> {
  const found = (await project.handovers({ session, limit: HANDOVERS_MOST })).find(({ id }) => id === report);
  if (!found) return null;
  const items = await Promise.all(
    [project, global].flatMap((store) => SHELVES.map((shelf) => store.items(shelf, found.sources))),
  );
  const sessionOf = new Map(items.flat().map((item) => [item.id, item.session]));
  const sources = found.sources.map((source) => sessionOf.get(source) ?? source);
  return { text: found.text, tokens: found.tokens, sources };
}
