/** What was remembered on each day, as a drawing, and as a table for those who do not see it. */
import { counted } from "../rules/amounts.ts";
import { barsOf } from "../rules/growth.ts";
import { spokenDay } from "../rules/spoken-date.ts";
import { useApp } from "./app-context.ts";
import { html, type VNode } from "./html.ts";

const DAYS = { least: 30, most: 90 };
const [WIDTH, HEIGHT] = [720, 96];

export function GrowthChart({ days }: { days: readonly { day: string; count: number }[] }): VNode {
  const { sayer } = useApp();
  if (days.length === 0) return html`<p class="meta">Nothing was remembered in the last ${DAYS.most} days.</p>`;
  const bars = barsOf(days, sayer.now, DAYS);
  const step = WIDTH / bars.length;
  const named = ({ day, count }: { day: string; count: number }) =>
    `${spokenDay(day, { ...sayer, zone: "UTC" })}: ${counted(count, "memory", "memories")}`;
  return html`<figure class="chart">
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      ${bars.map((bar, index) => {
        const height = bar.count === 0 ? 1.5 : Math.max(4, bar.share * (HEIGHT - 4));
        return html`<rect
          key=${bar.day}
          class=${bar.count === 0 ? "none" : ""}
          x=${index * step + step * 0.15}
          y=${HEIGHT - height}
          width=${step * 0.7}
          height=${height}
          rx="1.5"
          ><title>${named(bar)}</title></rect
        >`;
      })}
    </svg>
    <figcaption class="meta">
      <span>${spokenDay(bars[0]!.day, { ...sayer, zone: "UTC" })}</span><span>Today</span>
    </figcaption>
    <ul class="visually-hidden">
      ${bars.filter(({ count }) => count > 0).map((bar) => html`<li key=${bar.day}>${named(bar)}</li>`)}
    </ul>
  </figure>`;
}
