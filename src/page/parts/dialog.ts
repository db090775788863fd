/**
 * Dialogs, on the browser's own element: the focus stays inside, Escape closes, and the page behind is inert.
 *
 * A question of a verb is shown as it came, as text. What is answered is good for exactly that question.
 */
import type { ReplyValues } from "../../catalog/question.ts";
import type { OpenQuestion } from "../client/api.ts";
import { seenText } from "../rules/matched-text.ts";
import { type ComponentChildren, html, useEffect, useRef, useState, type VNode } from "./html.ts";

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps): VNode {
  const own = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    own.current?.showModal();
  }, []);
  return html`<dialog ref=${own} aria-label=${title} onCancel=${onClose} onClose=${onClose}>
    <h2>${title}</h2>
    ${children}
  </dialog>`;
}

interface QuestionProps {
  open: OpenQuestion;
  answer(values: ReplyValues | null): void;
}

/** A question that a verb asks before it acts. */
export function QuestionDialog({ open: { question }, answer }: QuestionProps): VNode {
  const [first = "", ...rest] = question.message.split("\n");
  const fields = Object.entries(question.fields);
  const [texts, setTexts] = useState<ReplyValues>(() =>
    Object.fromEntries(
      fields.map(([name, field]) => [
        name,
        field.kind === "confirm" ? true : field.kind === "text" ? (field.default ?? "") : (field.options[0] ?? ""),
      ]),
    ),
  );
  const confirm = fields.find(([, { kind }]) => kind === "confirm");
  const set = (name: string, value: string) => setTexts((known) => ({ ...known, [name]: value }));
  return html`<${Dialog} title=${seenText(first)} onClose=${() => answer(null)}>
    <form
      method="dialog"
      onSubmit=${(event: Event) => {
        event.preventDefault();
        answer(texts);
      }}
    >
      ${rest.length > 0 && html`<pre class="question" tabindex="0" dir="auto">${seenText(rest.join("\n"))}</pre>`}
      ${fields.map(([name, field]) =>
        field.kind === "text"
          ? html`<label class="field">${field.label}<input value=${texts[name]} onInput=${typed(name, set)} /></label>`
          : field.kind === "choice"
            ? html`<label class="field"
                >${field.label}<select value=${texts[name]} onChange=${typed(name, set)}>
                  ${field.options.map((option) => html`<option value=${option}>${option}</option>`)}
                </select></label
              >`
            : null,
      )}
      <div class="actions">
        <button type="button" onClick=${() => answer(null)}>Cancel</button>
        <button type="submit" class="primary" autofocus>${confirm?.[1].label ?? "Answer"}</button>
      </div>
    </form>
  <//>`;
}

const typed = (name: string, set: (name: string, value: string) => void) => (event: Event) =>
  set(name, (event.target as HTMLInputElement).value);

interface ConfirmProps {
  title: string;
  /** What is about to happen, and what can be done about it later. */
  children: ComponentChildren;
  label: string;
  onYes(): void;
  onClose(): void;
}

export const ConfirmDialog = ({ title, children, label, onYes, onClose }: ConfirmProps): VNode =>
  html`<${Dialog} title=${title} onClose=${onClose}>
    ${children}
    <div class="actions">
      <button onClick=${onClose}>Cancel</button>
      <button
        class="danger"
        onClick=${() => {
          onYes();
          onClose();
        }}
      >
        ${label}
      </button>
    </div>
  <//>`;
