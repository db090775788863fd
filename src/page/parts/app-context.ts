/** What every part of the page may use: the verbs, the place, the time, and how to say that something was done. */
import { Failure, toFailure } from "../../errors.ts";
import type { Api } from "../client/api.ts";
import type { Notices } from "../rules/notices.ts";
import type { Route } from "../rules/route.ts";
import type { Sayer } from "../rules/spoken-date.ts";
import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from "./html.ts";

export interface Place {
  readonly root: string;
  /** The person's own space: what holds in all projects. */
  readonly isOwn: boolean;
}

export interface App {
  readonly api: Api;
  /** Reads a route of the server that is no verb. */
  fetchRoute(path: string, signal: AbortSignal): Promise<Response>;
  readonly place: Place;
  readonly projects: readonly { root: string }[];
  choose(place: Place): void;
  readonly route: Route;
  go(route: Route): void;
  /** Counts changes, by this page and by others; whatever depends on it is read again. */
  readonly changes: number;
  /** Those by this page alone. */
  readonly ownChanges: number;
  /** Whether changes by others are heard of. */
  readonly isHeard: boolean;
  readonly sayer: Sayer;
  readonly notices: Notices;
  /** Does something, says so, and offers to undo it. Null if it failed or was declined; that is said too. */
  act<T extends { call?: string | null | undefined }>(
    said: string | ((answer: T) => string),
    work: () => Promise<T>,
    /** Leads away from what is no longer there, before anything is read again. */
    then?: (answer: T) => void,
  ): Promise<T | null>;
  undo(call: string): Promise<void>;
  /** Undoes what was done last on this page. */
  undoLast(): Promise<void>;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Failure("internal", "This part is outside the page.", "Reload it.");
  return app;
}

export interface Loaded<T> {
  /** Null while it is read for the first time, or after a failure. */
  readonly answer: T | null;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
}

/**
 * Reads something, again whenever one of these changes. What was read before stays until then. It is asked for at once:
 * other effects wait until the browser has drawn, which on a slow machine takes longer than the answer. Null asks nothing.
 */
export function useAnswer<T>(read: ((signal: AbortSignal) => Promise<T>) | null, of: readonly unknown[]): Loaded<T> {
  const [loaded, set] = useState<Loaded<T>>({ answer: null, failure: null, isLoading: true });
  useLayoutEffect(() => {
    if (read === null) return undefined;
    const stop = new AbortController();
    set((known) => (known.isLoading ? known : { ...known, failure: null, isLoading: true }));
    read(stop.signal).then(
      (answer) => stop.signal.aborted || set({ answer, failure: null, isLoading: false }),
      (thrown: unknown) => stop.signal.aborted || set({ answer: null, failure: toFailure(thrown), isLoading: false }),
    );
    return () => stop.abort();
  }, of);
  return loaded;
}

const CALM_MS = 10_000;

/**
 * Counts changes for what takes long to read: one's own at once, those of others together, every few seconds. An agent at
 * work writes all the time.
 */
export function useCalmChanges(): string {
  const { changes, ownChanges } = useApp();
  const [heard, setHeard] = useState(changes);
  const heardAt = useRef(0);
  useEffect(() => {
    if (changes === heard) return undefined;
    const hear = () => {
      heardAt.current = Date.now();
      setHeard(changes);
    };
    const timer = setTimeout(hear, Math.max(0, heardAt.current + CALM_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [changes]);
  return `${heard} ${ownChanges}`;
}
