/** A part of a view with a heading, and a few words beside it. */
import { type ComponentChildren, html, type VNode } from "./html.ts";

interface CardProps {
  title: string;
  note?: string | undefined;
  children: ComponentChildren;
}

export const Card = ({ title, note, children }: CardProps): VNode =>
  html`<section class="card">
    <h2 class="group">${title}${note !== undefined && html`<span class="count">${note}</span>`}</h2>
    ${children}
  </section>`;
