/** Text without characters that move the cursor, change colours, reverse the text direction or fake a line break. */
export function visible(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(/[\v\f\r\u0085\u2028\u2029]/g, " ")
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}
