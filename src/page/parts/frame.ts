/** The frame around every view: the views, the project one is in, and light or dark. */
import { folderName } from "../rules/labels.ts";
import { fragmentOf, type View, VIEWS } from "../rules/route.ts";
import { useApp } from "./app-context.ts";
import { type ComponentChildren, html, useEffect, useState, type VNode } from "./html.ts";
import { Icon } from "./icons.ts";

const LABELS: Readonly<Record<View, string>> = {
  search: "Search",
  inbox: "Inbox",
  timeline: "Timeline",
  graph: "Graph",
  project: "Project",
};

export function Frame({ waiting, children }: { waiting: number; children: ComponentChildren }): VNode {
  const { route, isHeard } = useApp();
  return html`<a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <header class="side">
      <p class="wordmark"><a href="#/search">Stele</a></p>
      <${Switcher} />
      <nav aria-label="Views">
        ${VIEWS.map(
          (view) =>
            html`<a href=${fragmentOf({ view, terms: {} })} aria-current=${route.view === view ? "page" : undefined}>
              <${Icon} name=${view} /><span>${LABELS[view]}</span>
              ${view === "inbox" &&
              waiting > 0 &&
              html`<span class="badge"
                >${waiting > 99 ? "99+" : waiting}<span class="visually-hidden"> waiting</span></span
              >`}
            </a>`,
        )}
      </nav>
      ${!isHeard && html`<p class="meta unheard" role="status">Reconnecting to the server…</p>`}
      <${ThemeButton} />
    </header>
    <main id="main" tabindex="-1">${children}</main>`;
}

/** The fragment is the route, so the link moves the focus itself. */
const skip = (event: Event) => {
  event.preventDefault();
  document.querySelector<HTMLElement>("#main")?.focus();
};

const OWN = "own";

function Switcher(): VNode {
  const { projects, place, choose } = useApp();
  const change = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    choose(value === OWN ? { ...place, isOwn: true } : { root: value, isOwn: false });
  };
  const names = projects.map(({ root }) => folderName(root));
  const labelOf = (root: string, name: string) =>
    names.filter((other) => other === name).length > 1 ? `${name} (${root})` : name;
  return html`<div class="switcher">
    <select
      aria-label="Project"
      value=${place.isOwn ? OWN : place.root}
      onChange=${change}
      title=${place.isOwn ? "What holds in all projects" : place.root}
    >
      ${projects.map(
        ({ root }, index) =>
          html`<option value=${root} selected=${!place.isOwn && root === place.root}>
            ${labelOf(root, names[index]!)}
          </option>`,
      )}
      <option value=${OWN} selected=${place.isOwn}>Your own space</option>
    </select>
  </div>`;
}

const THEMES = ["auto", "light", "dark"] as const;
const THEME_LABELS = { auto: "As the system", light: "Light", dark: "Dark" } as const;
const KEPT = "stele-theme";

export function currentTheme(): (typeof THEMES)[number] {
  return THEMES.find((theme) => theme === localStorage.getItem(KEPT)) ?? "auto";
}

function ThemeButton(): VNode {
  const [theme, setTheme] = useState(currentTheme);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem(KEPT, theme);
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
  return html`<button class="quiet theme" title=${`Change to: ${THEME_LABELS[next]}`} onClick=${() => setTheme(next)}>
    <${Icon} name="theme" /><span>${THEME_LABELS[theme]}</span>
  </button>`;
}
