/**
 * Identity of MiniLM vectors: those with the same weights, graph and text preparation are comparable.
 *
 * Constants only, so that the identity is known without loading anything. Raise a version whenever the same text would
 * get a different vector.
 */
export const WEIGHTS_SHA256 = "6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d";
const GRAPH_VERSION = 1;
const PREPARATION_VERSION = 1;
export const DIMENSIONS = 384;

/** [CLS], the wordpieces and [SEP] together: the longest input the model was trained on. */
export const LONGEST_INPUT_IDS = 256;
/** More characters than the ids above can cover; tokenizing the rest would be wasted. */
export const LONGEST_TEXT_CHARACTERS = 4_000;

const weights = WEIGHTS_SHA256.slice(0, 12);
export const IDENTITY = `all-minilm-l6-v2:${weights}:int8-${GRAPH_VERSION}:text-${PREPARATION_VERSION}`;
/** File name of the graph in the cache folder. */
export const GRAPH_KEY = `minilm-${weights}-int8-${GRAPH_VERSION}`;
