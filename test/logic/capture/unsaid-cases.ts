/** Texts, and what is left of them: the same whether a hook reports them or a transcript holds them. */
export const UNSAID_CASES: readonly (readonly [text: string, left: string])[] = [
  ["a <private>b</private> c", "a  c"],
  ["a <private >b</private > c", "a  c"],
  ["a <PRIVATE reason='x'>b</Private > c", "a  c"],
  ["a <private>b <private>c</private> d</private> e", "a  e"],
  ["a <private>b", "a "],
  ["a </private> b", "a </private> b"],
  ["<privateer>a</privateer>", "<privateer>a</privateer>"],
  ["a <!-- STELE_MEMORY_START -->b\nc<!-- STELE_MEMORY_END --> d", "a  d"],
  ["a STELE_MEMORY_START b", "a "],
  ["a STELE_MEMORY_START <private> STELE_MEMORY_END b", "a  b"],
  ["a <pri\u001b[0mvate>b</private> c", "a  c"],
  ["\u001b[1m\u001b[31merror\u001b[0m: it failed", "error: it failed"],
  ["[1m[31merror[0m: it failed", "error: it failed"],
  ["\\u001b[31merror\\u001b[39m: it failed", "error: it failed"],
];
