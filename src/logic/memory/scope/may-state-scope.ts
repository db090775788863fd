/**
 * Whether a text may state its scope. Most do not, and are spared the phrases of seven languages, which take longer to
 * load than everything else that `remember` needs.
 */
/** Only the beginning is read: far into a long text, such a phrase is about a detail. */
export const readForScope = (text: string): string => text.slice(0, CHARACTERS_READ).normalize("NFC");

const CHARACTERS_READ = 2_000;
/** Every phrase contains one of these. */
const MAY_STATE_SCOPE =
  /proj|proye|repo|d[eé]p[oô]t|code ?bas|base de c|workspace|where|überall|egal|partout|onde|[\u3040-\u30ff\u3400-\u9fff]/iu;

export const mayStateScope = (text: string): boolean => MAY_STATE_SCOPE.test(readForScope(text));
