/** Made-up memories with the word frequencies of real text, the same on every run. */
const SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi wo xu ka le mi no pu ra se ti vo zu".split(" ");
const VOCABULARY_WORDS = 20_000;

/** A small, fast, seeded generator (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function word(rank: number): string {
  let text = "";
  for (let rest = rank + 25; rest > 0; rest = Math.floor(rest / 25)) text += SYLLABLES[rest % 25];
  return text;
}

const vocabulary = Array.from({ length: VOCABULARY_WORDS }, (_, rank) => word(rank));

/** Zipf: the word of rank r occurs in proportion to 1/r. */
const zipf = (random: () => number) => vocabulary[Math.floor(VOCABULARY_WORDS ** random()) - 1]!;

export function memoryText(index: number, random: () => number): string {
  const words = Array.from({ length: 12 + Math.floor(random() * 24) }, () => zipf(random));
  return `${words.join(" ")} note${index}`;
}

/** Questions of three to six words, without the most common ones, like stop words. */
export function question(random: () => number): string {
  const wanted = 3 + Math.floor(random() * 4);
  const words: string[] = [];
  while (words.length < wanted) words.push(vocabulary[Math.floor(20 * (VOCABULARY_WORDS / 20) ** random())]!);
  return words.join(" ");
}

const ENGLISH = (
  "the a to of in is for with on that we this when before after because every never each user server test build branch " +
  "release deploy cache token session query index table column migration worker thread queue retry timeout error log " +
  "config file folder path module import type function class method schema request response header cookie password " +
  "login page button theme colour layout style font image upload download stream socket port host network proxy " +
  "database connection pool transaction lock row key value list map set array string number date time zone locale " +
  "memory process signal exit start stop run write read update delete create find keep move copy merge rebase commit " +
  "review comment document example rule pattern decision fix bug crash leak slow fast small large old new first last"
).split(" ");

/** About as long as a memory, in real words: made-up ones would split into many more wordpieces. */
export function sentence(index: number, random: () => number): string {
  const words = Array.from(
    { length: 12 + Math.floor(random() * 24) },
    () => ENGLISH[Math.floor(random() * ENGLISH.length)],
  );
  return `${words.join(" ")} ${index}`;
}
