/** What somebody sees who has no token: how to get one. */
import type { Failure } from "../../errors.ts";
import { html, useState, type VNode } from "./html.ts";
import { Command, Sentence } from "./states.ts";

interface LockProps {
  failure: Failure | null;
  enter(fragment: string): Promise<void>;
}

export function Lock({ failure, enter }: LockProps): VNode {
  const [link, setLink] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    // A link or the code alone.
    const fragment = link.includes("#") ? link.slice(link.indexOf("#")) : `#code=${encodeURIComponent(link.trim())}`;
    void enter(fragment);
  };
  return html`<main class="lock">
    <h1 class="wordmark">Stele</h1>
    <h2>This page opens with a key from your terminal.</h2>
    <p>It shows and changes what your agents remember, so only you may open it. In a project’s folder, run:</p>
    <${Command} text="stele open" />
    <p>
      That opens this page again, with a link that is good once. A key ends when the server stops, or after an hour
      without use.
    </p>
    <form onSubmit=${submit}>
      <label class="field">
        Or paste the link it printed
        <input
          value=${link}
          autocomplete="off"
          onInput=${(event: Event) => setLink((event.target as HTMLInputElement).value)}
        />
      </label>
      <button type="submit" class="primary" disabled=${link.trim() === ""}>Open</button>
    </form>
    ${failure !== null &&
    html`<p class="fault" role="alert"><${Sentence} text=${`${failure.message} ${failure.hint}`} /></p>`}
  </main>`;
}
