/** The page from the door on: who may see it, and which projects there are. */
import { type Failure, toFailure } from "../../errors.ts";
import { documentIn, send } from "../client/api.ts";
import type { Session } from "../client/session.ts";
import { projectOf } from "../rules/place.ts";
import { entranceIn, fragmentOf } from "../rules/route.ts";
import { html, useLayoutEffect, useState, type VNode } from "./html.ts";
import { Lock } from "./lock.ts";
import { Placed } from "./placed.ts";
import { Command, Empty, Failed, Loading } from "./states.ts";

export function Page({ session }: { session: Session }): VNode {
  const [isIn, setIn] = useState<boolean | null>(null);
  const [entries, setEntries] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  const enter = async (fragment: string) => {
    const entrance = entranceIn(fragment);
    try {
      if (entrance !== null) {
        // The code must not stay in the history.
        history.replaceState(null, "", fragmentOf({ view: "search", terms: { id: entrance.item ?? "" } }));
        await session.enter(entrance);
      }
      setIn(session.token() !== null);
      setEntries((count) => count + 1);
      setFailure(null);
    } catch (thrown) {
      setFailure(toFailure(thrown));
      setIn(false);
    }
  };
  useLayoutEffect(() => {
    void enter(location.hash);
    // `stele open` may lead to a tab that is open already.
    const again = () => entranceIn(location.hash) !== null && void enter(location.hash);
    addEventListener("hashchange", again);
    return () => removeEventListener("hashchange", again);
  }, []);
  const leave = () => {
    session.leave();
    setIn(false);
  };
  if (isIn === null) return html`<${Loading} what="the page" />`;
  if (!isIn) return html`<${Lock} failure=${failure} enter=${enter} />`;
  return html`<${Opened} key=${entries} session=${session} leave=${leave} />`;
}

type Projects = readonly { root: string }[];

/** With a token: which projects there are, and the one to show. */
function Opened({ session, leave }: { session: Session; leave(): void }): VNode {
  const [projects, setProjects] = useState<Projects | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useLayoutEffect(() => {
    send("/v1/projects", {}, { token: session.token, fetch: (...request) => fetch(...request) })
      .then(documentIn)
      .then((document) => setProjects((document as { projects: Projects }).projects))
      .catch((thrown: unknown) => {
        const caught = toFailure(thrown);
        if (caught.code === "unauthorized") leave();
        else setFailure(caught);
      });
  }, []);
  if (failure !== null) return html`<main class="lock"><${Failed} failure=${failure} /></main>`;
  // Whoever comes from a project need not wait for the list of the others. A link without a code may be anybody's, so it
  // leads only to a project that is known.
  const wished = session.wished();
  if (projects === null && (wished !== null || session.project() === null)) return html`<${Loading} what="projects" />`;
  const roots = (projects ?? []).map(({ root }) => root);
  if (wished !== null && roots.includes(projectOf(wished, roots))) session.chooseProject(projectOf(wished, roots));
  const last = session.project();
  const first = last === null ? roots[0] : projectOf(last, roots);
  if (first === undefined) return html`<${NoProject} />`;
  const known = roots.includes(first) ? projects : [...(projects ?? []), { root: first }];
  return html`<${Placed} key=${first} session=${session} leave=${leave} projects=${known} first=${first} />`;
}

const NoProject = (): VNode =>
  html`<main class="lock">
    <h1 class="wordmark">Stele</h1>
    <${Empty} title="No project has memories yet.">
      <p>In the folder of one, run:</p>
      <${Command} text="stele init" />
    <//>
  </main>`;
