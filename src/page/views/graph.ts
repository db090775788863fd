/** Graph: how memories, decisions and files hang together; with search, filters, and what is around a node. */
import type { Input } from "../client/api.ts";
import type { Canvas } from "../graph/canvas.ts";
import { useAnswer, useApp, useCalmChanges } from "../parts/app-context.ts";
import { EntryDetail } from "../parts/entry/detail.ts";
import { html, useEffect, useMemo, useRef, useState, type VNode } from "../parts/html.ts";
import { Command, Empty, Failed, Loading } from "../parts/states.ts";
import { Line } from "../parts/text.ts";
import { useKeys } from "../parts/use-keys.ts";
import { counted } from "../rules/amounts.ts";
import { drawnGraph, fileId, isSameGraph, matching, neighbourhood, type NodeKind } from "../rules/graph-model.ts";
import { spoken, TYPES } from "../rules/labels.ts";
import { fragmentOf } from "../rules/route.ts";

const NODES_MOST = 5_000;
const KINDS: readonly NodeKind[] = ["memory", "decision", "file"];
const KIND_LABELS = { memory: "Memories", decision: "Decisions", file: "Files" } as const;

export function GraphView(): VNode {
  const { api, place, route, go } = useApp();
  const { terms } = route;
  const [hidden, setHidden] = useState<ReadonlySet<NodeKind>>(new Set());
  const [query, setQuery] = useState("");
  const type = terms["type"] as NonNullable<Input<"relations">["type"]>[number] | undefined;
  const scope = place.isOwn ? { scope: ["global" as const] } : {};
  const { answer, failure } = useAnswer(
    (signal) => api.relations({ limit: NODES_MOST, ...(type && { type: [type] }), ...scope }, { signal }),
    [useCalmChanges(), place.root, place.isOwn, type],
  );
  const kinds = useMemo(() => new Set(KINDS.filter((kind) => !hidden.has(kind))), [hidden]);
  const last = useRef<Drawn | null>(null);
  const drawn = useMemo(() => {
    const next = answer && drawnGraph(answer, kinds);
    return next && last.current && isSameGraph(next, last.current) ? last.current : (last.current = next);
  }, [answer, kinds]);
  const chosen = terms["id"] ?? null;
  const choose = (id: string | null) => go({ view: "graph", terms: { ...terms, id: id ?? "" } });
  const toggle = (kind: NodeKind) =>
    setHidden((known) =>
      known.has(kind) ? new Set([...known].filter((one) => one !== kind)) : new Set([...known, kind]),
    );
  useKeys({
    close: () => choose(null),
    search: () => document.querySelector<HTMLInputElement>("#graph-search")?.focus(),
  });
  const found = useMemo(() => drawn && matching(query, drawn.nodes), [drawn, query]);
  return html`<div class="graph">
    <header class="page-head">
      <h1>Graph</h1>
      <p>
        ${drawn === null
          ? "How everything hangs together."
          : `${counted(drawn.nodes.length, "node")}, ${counted(drawn.lines.length, "line")}${answer?.isCut ? "; the newest only" : ""}.`}
      </p>
    </header>
    <${Tools} query=${query} setQuery=${setQuery} hidden=${hidden} toggle=${toggle} />
    ${failure !== null && html`<${Failed} failure=${failure} />`}
    ${answer === null && failure === null && html`<${Loading} what="the graph" />`}
    ${drawn !== null && drawn.nodes.length === 0 && html`<${Nothing} />`}
    ${drawn !== null &&
    drawn.nodes.length > 0 &&
    html`<div class=${chosen === null ? "graph-body" : "graph-body has-detail"}>
      <${Drawing}
        key=${`${place.root} ${place.isOwn}`}
        drawn=${drawn}
        chosen=${chosen}
        found=${found}
        choose=${choose}
      />
      ${chosen !== null && html`<${Chosen} key=${chosen} id=${chosen} drawn=${drawn} choose=${choose} />`}
    </div>`}
    ${drawn !== null && found !== null && html`<${Found} ids=${found} drawn=${drawn} choose=${choose} />`}
  </div>`;
}

interface ToolsProps {
  query: string;
  setQuery(query: string): void;
  hidden: ReadonlySet<NodeKind>;
  toggle(kind: NodeKind): void;
}

function Tools({ query, setQuery, hidden, toggle }: ToolsProps): VNode {
  const { route, go } = useApp();
  const type = route.terms["type"] ?? "";
  return html`<div class="graph-tools">
    <input
      id="graph-search"
      type="search"
      dir="auto"
      aria-label="Find a node"
      placeholder="Find a node"
      value=${query}
      onInput=${(event: Event) => setQuery((event.target as HTMLInputElement).value)}
    />
    <div class="chips" role="group" aria-label="What to show">
      ${KINDS.map(
        (kind) =>
          html`<button class=${`legend legend-${kind}`} aria-pressed=${!hidden.has(kind)} onClick=${() => toggle(kind)}>
            ${KIND_LABELS[kind]}
          </button>`,
      )}
    </div>
    <span class="choice"
      ><select
        aria-label="Kind of memory"
        value=${type}
        onChange=${(event: Event) => go({ view: "graph", terms: { type: (event.target as HTMLSelectElement).value } })}
      >
        <option value="">any kind</option>
        ${TYPES.map((name) => html`<option value=${name} selected=${name === type}>${spoken(name)}</option>`)}
      </select>
    </span>
  </div>`;
}

type Drawn = ReturnType<typeof drawnGraph>;

interface DrawingProps {
  drawn: Drawn;
  chosen: string | null;
  found: Set<string> | null;
  choose(id: string | null): void;
}

/** The code that draws is loaded when the first graph is shown. */
function Drawing({ drawn, chosen, found, choose }: DrawingProps): VNode {
  const place = useRef<HTMLDivElement>(null);
  const [canvas, setCanvas] = useState<Canvas | null>(null);
  const [state, setState] = useState<"settling" | "settled" | "failed">("settling");
  const chooser = useRef(choose);
  chooser.current = choose;
  useEffect(() => {
    let isGone = false;
    let opened: Canvas | null = null;
    import("../graph/canvas.ts")
      .then(({ openCanvas }) => {
        if (isGone || place.current === null) return;
        opened = openCanvas(place.current, {
          colours: coloursOf(place.current),
          isStill: matchMedia("(prefers-reduced-motion: reduce)").matches,
          choose: (id) => chooser.current(id),
          settling: (isSettling) => setState(isSettling ? "settling" : "settled"),
        });
        setCanvas(opened);
      })
      .catch((thrown: unknown) => {
        console.error(thrown);
        setState("failed");
      });
    return () => {
      isGone = true;
      opened?.end();
    };
  }, []);
  useTheme(() => place.current && canvas?.recolour(coloursOf(place.current)), [canvas]);
  useEffect(() => canvas?.become(drawn), [canvas, drawn]);
  useEffect(
    () => canvas?.emphasise(chosen === null ? found : neighbourhood(chosen, drawn.lines)),
    [canvas, drawn, chosen, found],
  );
  useEffect(() => {
    if (chosen !== null) canvas?.show(chosen);
  }, [canvas, chosen]);
  if (state === "failed")
    return html`<p class="caution">This browser cannot draw the graph. Find a node by its words instead.</p>`;
  return html`<div class="drawing" data-state=${state}>
    <div
      class="canvas"
      ref=${place}
      role="img"
      aria-label=${`A drawing of ${counted(drawn.nodes.length, "node")}. Find one by its words with the field above.`}
    ></div>
    <p class="meta" role="status">
      ${state === "settling" && `Finding a place for ${counted(drawn.nodes.length, "node")}…`}
    </p>
  </div>`;
}

/** Light turns into dark by the button or by the system; the drawing does not know by itself. */
function useTheme(changed: () => void, of: readonly unknown[]): void {
  useEffect(() => {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const button = new MutationObserver(changed);
    button.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    system.addEventListener("change", changed);
    return () => {
      button.disconnect();
      system.removeEventListener("change", changed);
    };
  }, of);
}

/** The drawing has the colours of the page, light or dark. */
function coloursOf(element: HTMLElement) {
  const probe = document.createElement("i");
  element.append(probe);
  const colour = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    ink: colour("--ink"),
    line: colour("--edge-line"),
    faded: colour("--sunk"),
    ground: colour("--slab"),
    kinds: { memory: colour("--ink-soft"), decision: colour("--accent"), file: colour("--caution") },
  };
  probe.remove();
  return colours;
}

const LISTED = 20;

/** The same for those who do not use the drawing. */
function Found({ ids, drawn, choose }: { ids: Set<string>; drawn: Drawn; choose(id: string): void }): VNode {
  const nodes = drawn.nodes.filter(({ id }) => ids.has(id));
  return html`<section aria-live="polite">
    <h2 class="group">${counted(nodes.length, "node")} found</h2>
    <${NodeLinks} nodes=${nodes.slice(0, LISTED)} choose=${choose} />
  </section>`;
}

const NodeLinks = ({ nodes, choose }: { nodes: Drawn["nodes"]; choose(id: string): void }): VNode =>
  html`<ul class="links">
    ${nodes.map(
      ({ id, kind, type, label }) =>
        html`<li key=${id}>
          <span class="meta">${spoken(kind === "memory" ? type : kind)}</span
          ><button class="link" onClick=${() => choose(id)}><${Line} text=${label} /></button>
        </li>`,
    )}
  </ul>`;

function Chosen({ id, drawn, choose }: { id: string; drawn: Drawn; choose(id: string | null): void }): VNode {
  const near = neighbourhood(id, drawn.lines);
  const around = drawn.nodes.filter((node) => node.id !== id && near.has(node.id));
  const path = id.startsWith(fileId("")) ? id.slice(fileId("").length) : null;
  return html`<div class="graph-side">
    ${path === null
      ? html`<${EntryDetail} key=${id} id=${id} found=${null} words=${[]} open=${choose} close=${() => choose(null)} />`
      : html`<section class="detail">
          <p class="kicker"><span class="kind">File</span></p>
          <h2><${Line} text=${path} /></h2>
          <p><a href=${fragmentOf({ view: "search", terms: { q: path } })}>Search for it</a></p>
        </section>`}
    <section class="detail">
      <h3>${counted(around.length, "neighbour")}</h3>
      <${NodeLinks} nodes=${around} choose=${choose} />
    </section>
  </div>`;
}

const Nothing = (): VNode =>
  html`<${Empty} title="There is nothing to draw yet.">
    <p>Memories are related as they are made. To relate two yourself, use their handles:</p>
    <${Command} text="stele link 7fd436b5 1c9e02aa --relation refines" />
  <//>`;
