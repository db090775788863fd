/**
 * Changes: tells whoever listens that the memory of a project has changed, in this process or another.
 *
 * One look at both journals' ends for each project that anybody listens to, twice a second; none while nobody does. A
 * listener is told the revision, not what changed: it asks again for what it shows.
 */
import { READING } from "../catalog/dispatch.ts";
import { Failure, toFailure } from "../errors.ts";
import type { World } from "../world.ts";
import { NDJSON } from "./progress-lines.ts";
import type { Projects } from "./projects.ts";

const LOOK_MS = 500;
/** A line at least so often, so that a connection that is gone is noticed. */
const QUIET_MS = 20_000;
const MOST_LISTENERS = 64;

export interface Changes {
  /** A stream of lines, each with the revision: one at once, one after every change. */
  listen(project: string): Promise<Response>;
  readonly listeners: number;
  close(): void;
}

export function createChanges(projects: Projects, clock: { now(): number }, lookMs = LOOK_MS): Changes {
  const listeners = new Set<Listener>();
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  function watch(): void {
    if (timer !== null || listeners.size === 0 || isClosed) return;
    timer = setTimeout(() => {
      void look().finally(() => {
        timer = null;
        watch();
      });
    }, lookMs);
    timer.unref();
  }

  async function look(): Promise<void> {
    for (const project of new Set([...listeners].map((listener) => listener.project))) {
      const found = await projects.use(project, revision, READING).catch(toFailure);
      for (const listener of listeners) if (listener.project === project) listener.tell(found);
    }
  }

  return {
    async listen(project) {
      if (listeners.size >= MOST_LISTENERS) {
        throw new Failure("too_many", `${MOST_LISTENERS} listen already.`, "Close a page that is open twice.");
      }
      const found = await projects.use(project, revision, READING);
      if (isClosed) throw new Failure("unavailable", "The server is closing.", "Start it again.");
      const listener = createListener(project, clock, () => listeners.delete(listener));
      listeners.add(listener);
      listener.tell(found);
      watch();
      return new Response(listener.stream, { headers: { "content-type": NDJSON } });
    },
    get listeners() {
      return listeners.size;
    },
    close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      for (const listener of listeners) listener.end();
    },
  };
}

interface Listener {
  readonly project: string;
  readonly stream: ReadableStream<Uint8Array>;
  /** A failure is the last it hears. */
  tell(found: string | Failure): void;
  end(): void;
}

function createListener(project: string, clock: { now(): number }, gone: () => void): Listener {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let [told, toldAt] = ["", 0];
  const stream = new ReadableStream<Uint8Array>({
    start: (created) => void (controller = created),
    cancel: gone,
  });
  const send = (value: unknown): void => controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
  const end = (): void => {
    gone();
    controller.close();
  };
  return {
    project,
    stream,
    end,
    tell(found) {
      if (found instanceof Failure) {
        send(found);
        return end();
      }
      // A reader that is slow gets the latest when it has caught up.
      const isDue = found !== told || clock.now() - toldAt >= QUIET_MS;
      if (!isDue || (controller.desiredSize ?? 0) <= 0) return;
      [told, toldAt] = [found, clock.now()];
      send({ revision: found });
    },
  };
}

async function revision({ project, global }: Pick<World, "project" | "global">): Promise<string> {
  const heads = await Promise.all([project, global].map((store) => store.chainHead()));
  return heads.map(({ length, hash }) => `${length}.${hash.slice(0, 12)}`).join("-");
}
