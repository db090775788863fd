/** The page in a project: where one is, what was done, and what changed. Everything below reads it from the context. */
import type { ReplyValues } from "../../catalog/question.ts";
import { toFailure } from "../../errors.ts";
import { type Connection, createApi, type OpenQuestion, send } from "../client/api.ts";
import { listenForChanges } from "../client/changes.ts";
import type { Session } from "../client/session.ts";
import { afterEvent, keptNotices, lastUndoable, noticesFrom } from "../rules/notices.ts";
import { entranceIn, fragmentOf, type Route, routeOf } from "../rules/route.ts";
import { spokenLanguage } from "../rules/spoken-date.ts";
import { VIEW_OF } from "../views/views.ts";
import { type App, AppContext, type Place, useAnswer, useApp } from "./app-context.ts";
import { QuestionDialog } from "./dialog.ts";
import { Frame } from "./frame.ts";
import { html, useEffect, useLayoutEffect, useMemo, useReducer, useState, type VNode } from "./html.ts";
import { KeyHelp } from "./key-help.ts";
import { NoticeList } from "./notice-list.ts";
import { useKeys } from "./use-keys.ts";

interface PlacedProps {
  session: Session;
  leave(): void;
  projects: App["projects"];
  first: string;
}

export function Placed({ session, leave, projects, first }: PlacedProps): VNode {
  const [place, setPlace] = useState<Place>({ root: first, isOwn: false });
  const { route, go } = useRoute();
  const { asked, ask } = useQuestions();
  const [changes, setChanges] = useState({ all: 0, own: 0 });
  const changed = (own: 0 | 1) => setChanges(({ all, own: before }) => ({ all: all + 1, own: before + own }));
  const connection = useMemo(() => connectionOf(place.root, session, ask, leave), [place.root]);
  const api = useMemo(() => createApi(connection), [connection]);
  const [isHeard, setHeard] = useState(true);
  useLayoutEffect(() => {
    const listening = listenForChanges(connection, { changed: () => changed(0), isHeard: setHeard });
    return () => listening.stop();
  }, [connection]);
  const acts = useActs(place.root, session, api, () => changed(1));
  const app: App = {
    api,
    place,
    projects,
    route,
    go,
    isHeard,
    changes: changes.all,
    ownChanges: changes.own,
    act: acts.act,
    undo: acts.undo,
    undoLast: acts.undoLast,
    notices: acts.notices,
    fetchRoute: (path, signal) =>
      send(path, { signal, headers: { "stele-project": encodeURIComponent(place.root) } }, connection),
    sayer: {
      now: Date.now(),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      language: spokenLanguage(navigator.languages),
    },
    choose(next) {
      session.chooseProject(next.root);
      setPlace(next);
      go({ view: route.view, terms: {} });
    },
  };
  return html`<${AppContext.Provider} value=${app}>
    <${Keys} />
    <${Shown} />
    <${NoticeList} close=${acts.close} />
    ${asked && html`<${QuestionDialog} key=${asked.open.fingerprint} open=${asked.open} answer=${asked.answer} />`}
  <//>`;
}

function Shown(): VNode {
  const { route, api, changes, place } = useApp();
  const { answer } = useAnswer(
    async (signal) => (place.isOwn ? null : api.proposals({ limit: 1 }, { signal })),
    [changes, place.root, place.isOwn],
  );
  return html`<${Frame} waiting=${answer?.total ?? 0}><${VIEW_OF[route.view]} key=${route.view} /><//>`;
}

/** Keys that work in every view. */
function Keys(): VNode | null {
  const { undoLast } = useApp();
  const [isHelping, setHelping] = useState(false);
  useKeys({ undo: () => void undoLast(), help: () => setHelping(true) });
  return isHelping ? html`<${KeyHelp} close=${() => setHelping(false)} />` : null;
}

function connectionOf(project: string, session: Session, ask: Connection["ask"], leave: () => void): Connection {
  return {
    token: session.token,
    project,
    ask,
    async fetch(...request) {
      const response = await fetch(...request);
      // The token has ended, with the server or because nobody used it.
      if (response.status === 401) leave();
      return response;
    },
  };
}

function useRoute(): Pick<App, "route" | "go"> {
  const [route, setRoute] = useState<Route>(() => routeOf(location.hash));
  useEffect(() => {
    const follow = () => entranceIn(location.hash) === null && setRoute(routeOf(location.hash));
    addEventListener("hashchange", follow);
    addEventListener("popstate", follow);
    return () => {
      removeEventListener("hashchange", follow);
      removeEventListener("popstate", follow);
    };
  }, []);
  const go = (next: Route) => {
    history.pushState(null, "", fragmentOf(next));
    setRoute(routeOf(location.hash));
  };
  return { route, go };
}

interface Asked {
  readonly open: OpenQuestion;
  answer(values: ReplyValues | null): void;
}

/** One question at a time; whoever asks waits for its answer. */
function useQuestions(): { asked: Asked | null; ask: Connection["ask"] } {
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask: Connection["ask"] = (open) =>
    new Promise((resolve) => {
      const answer = (values: ReplyValues | null) => {
        setAsked(null);
        resolve(values);
      };
      setAsked({ open, answer });
    });
  return { asked, ask };
}

type Acts = Pick<App, "act" | "undo" | "undoLast" | "notices"> & { close(id: number): void };

/** Does things, says so, and undoes them. */
function useActs(project: string, session: Session, api: App["api"], changed: () => void): Acts {
  const [notices, tell] = useReducer(afterEvent, session.undoable(), noticesFrom);
  useEffect(() => session.keepUndoable(keptNotices(notices)), [notices.undoable]);
  const say = (text: string, kind: "done" | "failed", call: string | null) =>
    tell({ kind: "said", notice: { text, kind, call, project } });
  const sayFailure = (thrown: unknown) => {
    const { message, hint } = toFailure(thrown);
    say([message, hint].filter((part) => part !== "").join(" "), "failed", null);
  };
  const undo = async (call: string) => {
    try {
      await api.rollback({ call });
      tell({ kind: "undone", call });
      say("Undone.", "done", null);
      changed();
    } catch (thrown) {
      sayFailure(thrown);
    }
  };
  return {
    notices,
    undo,
    close: (id) => tell({ kind: "closed", id }),
    async act(said, work, then) {
      try {
        const answer = await work();
        then?.(answer);
        say(typeof said === "string" ? said : said(answer), "done", answer.call ?? null);
        changed();
        return answer;
      } catch (thrown) {
        sayFailure(thrown);
        return null;
      }
    },
    async undoLast() {
      const last = lastUndoable(notices, project);
      if (last?.call != null) await undo(last.call);
      else say("There is nothing to undo.", "done", null);
    },
  };
}
