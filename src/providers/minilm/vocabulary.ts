/** The model's wordpieces and their ids, read from the tokenizer file that comes with the weights. */
import { locateModel, readModelFile } from "./weights.ts";

interface TokenizerFile {
  readonly model: { readonly vocab: Readonly<Record<string, number>> };
}

export async function loadVocabulary(): Promise<ReadonlyMap<string, number>> {
  const bytes = await readModelFile(locateModel().tokenizer);
  const file = JSON.parse(new TextDecoder().decode(bytes)) as TokenizerFile;
  return new Map(Object.entries(file.model.vocab));
}
