/**
 * The person's token: had for the code in the address, and kept for this tab alone.
 *
 * The code is taken out of the address at once, so that it is in no history. The tab's storage ends with the tab; the
 * token also ends with the server, or when nobody uses it for an hour.
 */
import type { Entrance } from "../rules/route.ts";
import { documentIn } from "./api.ts";

const TOKEN = "stele-token";
const PROJECT = "stele-project";
const UNDOABLE = "stele-undoable";

export interface Session {
  token(): string | null;
  /** The project that was open last in this tab; null if none was. */
  project(): string | null;
  /** The project that a link without a code names; null if none does, or one has been chosen since. */
  wished(): string | null;
  chooseProject(root: string): void;
  /** Trades the code in, if there is one, and notes the project. */
  enter(entrance: Entrance): Promise<void>;
  /** What can be undone, so that a reload does not lose it. */
  undoable(): string | null;
  keepUndoable(text: string): void;
  leave(): void;
}

export function createSession(storage: Storage, send: typeof fetch): Session {
  let wished: string | null = null;
  const chooseProject = (root: string) => {
    wished = null;
    storage.setItem(PROJECT, root);
  };
  return {
    token: () => storage.getItem(TOKEN),
    project: () => storage.getItem(PROJECT),
    wished: () => wished,
    chooseProject,
    async enter({ code, project }) {
      if (code === null) {
        wished = project;
        return;
      }
      const body = JSON.stringify({ code });
      const headers = { "content-type": "application/json" };
      const response = await send("/person/tokens", { method: "POST", body, headers });
      const { token } = (await documentIn(response)) as { token: string };
      storage.setItem(TOKEN, token);
      if (project !== null) chooseProject(project);
    },
    undoable: () => storage.getItem(UNDOABLE),
    keepUndoable: (text) => storage.setItem(UNDOABLE, text),
    leave: () => storage.removeItem(TOKEN),
  };
}
