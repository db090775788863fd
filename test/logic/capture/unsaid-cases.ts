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
];
