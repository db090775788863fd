/** Edits a memory in place. Only what was changed is sent; whether that corrects or replaces it, the server decides. */
import type { Answer, Input } from "../../client/api.ts";
import { spoken, TYPES } from "../../rules/labels.ts";
import { useApp } from "../app-context.ts";
import { html, useState, type VNode } from "../html.ts";

type Item = Answer<"get">;

interface EditorProps {
  item: Item;
  /** With the id of what it is now; null if nothing was changed. */
  close(id: string | null): void;
}

const SAID: Readonly<Record<string, string>> = {
  revised: "Corrected. It is the same memory.",
  replaced: "Replaced. What it said before is its history.",
  unchanged: "Nothing was different.",
};

export function EntryEditor({ item, close }: EditorProps): VNode {
  const { api, act } = useApp();
  const [content, setContent] = useState(item.content);
  const [title, setTitle] = useState(item.title ?? "");
  const [type, setType] = useState(item.type);
  const [tags, setTags] = useState(item.tags.join(", "));
  const [priority, setPriority] = useState(item.priority);
  const save = async (event: Event) => {
    event.preventDefault();
    const listed = tags
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== "");
    const changed: Partial<Input<"update">> = {
      ...(content !== item.content && { content }),
      ...(title !== (item.title ?? "") && { title }),
      ...(type !== item.type && { type: type as Input<"update">["type"] }),
      ...(listed.join() !== item.tags.join() && { tags: listed }),
      ...(priority !== item.priority && { priority }),
    };
    if (Object.keys(changed).length === 0) return close(null);
    const done = await act(
      ({ status }) => SAID[status] ?? "Saved.",
      () => api.update({ id: item.id, ...changed }),
    );
    if (done !== null) close(done.id);
  };
  const into = (set: (value: string) => void) => (event: Event) => set((event.target as HTMLInputElement).value);
  return html`<form class="editor" onSubmit=${save}>
    <label class="field"
      >What it says
      <textarea rows="6" dir="auto" required value=${content} onInput=${into(setContent)} ref=${focusOnce}></textarea>
    </label>
    <label class="field">Title <input dir="auto" maxlength="200" value=${title} onInput=${into(setTitle)} /></label>
    <div class="fields">
      <label class="field"
        >Kind
        <select value=${type} onChange=${into(setType)}>
          ${[...new Set([item.type, ...TYPES])]
            .filter((name) => name !== "decision")
            .map((name) => html`<option value=${name}>${spoken(name)}</option>`)}
        </select>
      </label>
      <label class="field"
        >Priority, 1 to 10
        <input
          type="number"
          min="1"
          max="10"
          value=${priority}
          onInput=${(event: Event) => setPriority(Number((event.target as HTMLInputElement).value))}
        />
      </label>
    </div>
    <label class="field">Tags, separated by commas <input dir="auto" value=${tags} onInput=${into(setTags)} /></label>
    <div class="actions">
      <button type="button" onClick=${() => close(null)}>Cancel</button>
      <button type="submit" class="primary">Save</button>
    </div>
  </form>`;
}

const focusOnce = (element: HTMLTextAreaElement | null): void => {
  if (element !== null && element.dataset["focused"] === undefined) {
    element.dataset["focused"] = "yes";
    element.focus();
  }
};
