/** What a shell completes a field with, read from the stores. */
export { knownWords } from "../engine/recall/known-words.ts";
