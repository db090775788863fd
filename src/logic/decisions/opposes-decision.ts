/** Stub. */
export function opposesDecision(
  _decision: { subject: string; text: string },
  _statement: string,
  _statedSubject: string | null = null,
): string | null {
  return null;
}
