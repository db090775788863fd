/**
 * What makes two MiniLM vectors comparable: weights, graph and preparation of the text.
 *
 * Constants only, so that the identity is known without loading anything. Raise a version
 * whenever the vectors of the same text would come out differently.
 */
export const WEIGHTS_SHA256 = "6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d";
export const GRAPH_VERSION = 1;
export const PREPARATION_VERSION = 1;
export const DIMENSIONS = 384;

/** [CLS], the wordpieces and [SEP] together: what the model was trained to read. */
export const LONGEST_INPUT_IDS = 256;
/** More characters than the ids above ever cover; the rest would be tokenized for nothing. */
export const LONGEST_TEXT_CHARACTERS = 4_000;

const weights = WEIGHTS_SHA256.slice(0, 12);
export const IDENTITY = `all-minilm-l6-v2:${weights}:int8-${GRAPH_VERSION}:text-${PREPARATION_VERSION}`;
/** Names the graph in a cache folder. */
export const GRAPH_KEY = `minilm-${weights}-int8-${GRAPH_VERSION}`;
