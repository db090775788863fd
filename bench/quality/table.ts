/** The measures of one set as a table, by mode and category of question. */
import { MEASURES, type Measures } from "./metrics.ts";

export type Table = Record<string, Record<string, Measures & { questions: number }>>;

const WITH_CATEGORIES = ["floor", "hybrid"];

export function tableText(set: string, table: Table, before: Table | undefined): string {
  const lines = [set.padEnd(35) + MEASURES.map((name) => name.padStart(10)).join("") + "n".padStart(10)];
  for (const [way, categories] of Object.entries(table)) {
    for (const [category, row] of Object.entries(categories)) {
      if (category !== "all" && !WITH_CATEGORIES.includes(way)) continue;
      const old = before?.[way]?.[category];
      const name = `  ${way} ${category === "all" ? "" : category}`.padEnd(35);
      const cells = MEASURES.map((measure) => row[measure].toFixed(3).padStart(10)).join("");
      const moved = old ? `  ndcg10 ${signed(row.ndcg10 - old.ndcg10)}` : "";
      lines.push(name + cells + String(row.questions).padStart(10) + moved);
    }
  }
  return `${lines.join("\n")}\n`;
}

const signed = (value: number) => `${value < 0 ? "" : "+"}${value.toFixed(3)}`;
