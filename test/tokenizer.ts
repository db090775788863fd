/** A real tokenizer, of current models: what a text costs. */
import { Tiktoken } from "js-tiktoken/lite";
import ranks from "js-tiktoken/ranks/o200k_base";

const encoding = new Tiktoken(ranks);

export const countTokens = (text: string): number => encoding.encode(text, [], []).length;
