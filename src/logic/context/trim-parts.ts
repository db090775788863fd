/** Leaves out what does not fit a budget: from the last part, and there from the end. */
export function trimParts<Part extends string, Whole extends Record<Part, readonly unknown[]>>(
  whole: Whole,
  parts: readonly Part[],
  { tokensOf, budgetTokens }: { tokensOf(whole: Whole): number; budgetTokens: number },
): Whole {
  let trimmed = whole;
  while (tokensOf(trimmed) > budgetTokens) {
    const last = parts.findLast((part) => trimmed[part].length > 0);
    if (last === undefined) break;
    trimmed = { ...trimmed, [last]: trimmed[last].slice(0, -1) };
  }
  return trimmed;
}
