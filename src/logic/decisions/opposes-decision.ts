/** Stub. */
export function opposesDecision(_decision: { subject: string; text: string }, _statement: string): string | null {
  return null;
}
