/** What can be done with a memory. Everything but erasing can be undone; erasing asks twice and says so. */
import type { Answer } from "../../client/api.ts";
import { oneLine } from "../../rules/matched-text.ts";
import { fragmentOf } from "../../rules/route.ts";
import { useApp } from "../app-context.ts";
import { ConfirmDialog } from "../dialog.ts";
import { html, useState, type VNode } from "../html.ts";
import { Icon, type IconName } from "../icons.ts";

type Item = Answer<"get">;

interface ActionsProps {
  item: Item;
  edit(): void;
  /** After it is gone. */
  leave(): void;
}

export function EntryActions({ item, edit, leave }: ActionsProps): VNode {
  const { api, act } = useApp();
  const { id, status, shelf } = item;
  const name = nameOf(item);
  const bringBack = () => act(`Brought back ${name}.`, () => api.update({ id, status: "active" }));
  return html`<div class="toolbar" role="toolbar" aria-label="What to do with it">
    ${shelf === "memory" && status === "active" && html`<${MemoryActions} item=${item} edit=${edit} />`}
    ${shelf === "memory" &&
    ["archived", "pruned"].includes(status) &&
    html`<${Tool} icon="up" label="Bring back" onClick=${bringBack} />`}
    ${shelf === "proposal" &&
    status === "pending" &&
    html`<a class="tool" href=${inboxOf(item)}>Decide in the inbox</a>`}
    ${ERASABLE.includes(shelf) && html`<${Erase} item=${item} leave=${leave} />`}
  </div>`;
}

const ERASABLE: readonly string[] = ["memory", "evidence", "proposal", "decision"];
const nameOf = ({ title, content }: Item): string => `“${oneLine(title ?? content, 60)}”`;
const inboxOf = ({ handle }: Item): string => fragmentOf({ view: "inbox", terms: { id: handle } });

function MemoryActions({ item, edit }: Pick<ActionsProps, "item" | "edit">): VNode {
  const { api, act, place } = useApp();
  const { id, pinned, scope } = item;
  const name = nameOf(item);
  const pin = () =>
    act(pinned ? `Unpinned ${name}.` : `Pinned ${name}; it never fades.`, () => api.update({ id, pinned: !pinned }));
  const move = (to: "project" | "global", said: string) => () =>
    act(`${name} ${said}`, () => api.promote({ id, scope: to }));
  const forget = () => act(`Forgot ${name}.`, () => api.forget({ target: id }));
  return html`<${Tool} icon="edit" label="Edit" onClick=${edit} />
    <${Tool} icon="pin" label=${pinned ? "Unpin" : "Pin"} isOn=${pinned} onClick=${pin} />
    ${scope === "working" &&
    html`<${Tool} icon="up" label="Keep in this project" onClick=${move("project", "is kept in this project.")} />`}
    ${scope !== "global" &&
    html`<${Tool} icon="up" label="Use in all projects" onClick=${move("global", "now holds in all projects.")} />`}
    ${scope === "global" &&
    !place.isOwn &&
    html`<${Tool}
      icon="down"
      label="Only this project"
      onClick=${move("project", "now holds in this project only.")}
    />`}
    <${Tool} icon="forget" label="Forget" onClick=${forget} />`;
}

/** Asks twice, because nothing brings it back. */
function Erase({ item, leave }: Pick<ActionsProps, "item" | "leave">): VNode {
  const { api, act } = useApp();
  const [asked, setAsked] = useState<0 | 1 | 2>(0);
  const name = nameOf(item);
  const erase = () => {
    const forget = async () => {
      await api.forget({ target: item.id, purge: true });
      // Nothing brings it back.
      return { call: null };
    };
    return act(`Erased ${name}.`, forget, leave);
  };
  const close = () => setAsked(0);
  return html`<${Tool} icon="close" label="Erase for good…" isDangerous=${true} onClick=${() => setAsked(1)} />
    ${asked === 1 &&
    html`<${ConfirmDialog}
      key="1"
      title="Erase it for good?"
      label="Erase…"
      onYes=${() => setTimeout(setAsked, 0, 2)}
      onClose=${close}
    >
      <p>
        ${`This removes ${name}, everything it replaced, the evidence it was captured from, and every trace in the journal and the backups. If you only want agents to stop using it, forget it instead: that can be undone.`}
      </p>
    <//>`}
    ${asked === 2 &&
    html`<${ConfirmDialog}
      key="2"
      title="There is no undo. Erase it now?"
      label="Erase for good"
      onYes=${erase}
      onClose=${close}
    >
      <p>${`Once ${name} is erased, nobody can bring it back.`}</p>
    <//>`}`;
}

interface ToolProps {
  icon: IconName;
  label: string;
  isOn?: boolean;
  isDangerous?: boolean;
  onClick(): void;
}

export const Tool = ({ icon, label, isOn, isDangerous = false, onClick }: ToolProps): VNode =>
  html`<button class=${isDangerous ? "tool danger-quiet" : "tool"} aria-pressed=${isOn} onClick=${onClick}>
    <${Icon} name=${icon} />${label}
  </button>`;
