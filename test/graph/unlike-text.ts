/** Texts that have no word in common, so that nothing links them. */
const LETTERS = "bcdfghjklm";

export function unlikeText(number: number): string {
  const name = [...String(number)].map((digit) => LETTERS[Number(digit)]).join("");
  return `x${name}or y${name}an`;
}
