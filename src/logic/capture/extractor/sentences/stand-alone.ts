/** Whether a sentence can be understood without those around it, and what a heading adds to it. */
import { passingClass } from "./passing.ts";

/** The subject stands in a sentence before. */
const DANGLING =
  /^(?:(?:that|this|it|they|those)'(?:s|re|ll|d)\b|(?:it|they|both|neither|either|which|same|actually|ah|oh|oops)\b|(?:this|that|these|those) (?:ensures?|prevents?|allows?|avoids?|enables?|keeps?|follows|matches|confirms?|shows|works|gives|lets|causes|is|was|are|were|would|will|could|should|can|may|might|has|had|have|does|did|means?|makes?|happens?|\w+(?:s|ed)(?= (?:the|a|an|to|in|it|early|when|by|for|from|with|into|well|up|back)\b)))/i;
/** "The function calls …": which one stands elsewhere, as does the `"D"` of an example. */
const UNNAMED =
  /^the (?:function|method|helper|handler|script|class|struct|type|file|test|check|loop|branch|caller|flag|field)(?: (?:also|now|then|just|already|only|still))? (?!`|\w*[_.(]|(?:in|of|for|at|from|with|named|called|that|which)\b)(?:[a-z]+(?:s|ed)|are|can|did|do|had|have|must|should|were|will|would)\b/i;
/** "Scoped the loop to active sessions": an answer to somebody who had named it. */
const ANSWERING =
  /^\w+ed the (?:\w+ )?(?:function|method|helper|handler|script|class|type|file|test|check|loop|branch|caller|flag|field|comment|wording|docs?)\b(?! (?:in|of|for|at|from|named|called) `?\w*[A-Z_.])/;
/** "2. ", "Problem 2 (high): ": says no more than that there are others. */
const LABEL =
  /^(?:\d{1,2}[.)]\s+|(?:bug|problem|task|comment|thread|fix|issue|item|option|question|approach|scenario|case|finding|point|edit|change) \d{1,2}(?: \([^()]{1,20}\))?(?:\s?[:—–]\s+|\s-\s|[.)]\s+))+(?=\S)/i;
/** "Thread 3 (medium - unsafe deletion): Fixed in 4be1d07c. …": what the point is about stays. */
const TITLED_LABEL =
  /^(?:bug|problem|task|comment|thread|fix|issue|item|question|finding|point|change) \d{1,2} \((?:\w+ ?[-—–:,] )?([^()]{4,80})\)\s?[:—–-]\s+(?:(?:already )?(?:fixed|addressed|done|resolved) in `?[0-9a-f]{7,40}`?[.,;](?:\s+|$))?/i;
export const unlabelled = (text: string): string =>
  text
    .replace(LABEL, "")
    .replace(TITLED_LABEL, (_, title: string) => `${title[0]!.toUpperCase()}${title.slice(1)}: `)
    .trimEnd();
const EXAMPLE = /"[A-Z]{1,2}"|(?:"[A-Z]{3,5}".*){2}/;
/** "That function", "fixing it", "in that case", "the second one": what is meant stands before. */
const REFERRING =
  /^(?:(?:this|that|these|those) (?:(?!pr\b|pull\b|commit|branch|plugin|release|module|package|project)\w+ )?(?:functions?|methods?|ones?|cases?|lines?|files?|tests?|checks?|code|paths?|errors?|approach|way|fix(?:es)?|changes?|issues?|problems?|bugs?|behaviou?r|logic|blocks?|fields?|calls?|values?|edits?|comments?|threads?|two|three)\b(?! (?:in|of|at|for|named|called) `|:? `)|(?:\w+ing|to \w+) (?:it|this|that|them|these|those)\b|(?:or|nor|and|then|for example|for instance)\b|in (?:that|this|these|those|both|either) (?:case|cases|way|situations?)\b|(?:otherwise|instead|as a result|because of (?:this|that)|without (?:this|that|it|them)|for (?:this|that) reason|after that|afterwards|by then|at that point|until then|(?:for )?the (?:latter|former|(?:first|second|third|last|other|same) (?:one|two|three|case|issue|problem|point|thing))\b)|(?:his|her|their|its) |only the one|(?:used|called|set|cleared|consumed|defined|checked|triggered) (?:in|by|at|from|when)\b|\.\.\.|…|[a-z]+ly the same\b)/i;
export const isDangling = (text: string): boolean =>
  [DANGLING, UNNAMED, ANSWERING, REFERRING].some((pattern) => pattern.test(text));
export const isOfExample = (text: string): boolean => EXAMPLE.test(text);

/** "The key fix was adding `round`": to what stands elsewhere. Another memory may tell it. */
const TARGETLESS =
  /^(?:the|our|this|that) (?:(?:key|main|real|actual|only|important|essential|critical|crucial|final|missing|whole|one) )*(?:fix|change|problem|issue|bug|cause|solution|thing|piece|part|difference|culprit|addition|improvement|trick)(?: here| there)? (?:is|was)\b/i;
export const lacksTarget = (text: string): boolean => TARGETLESS.test(text);

/** A piece of a sentence that was cut at a full stop within a quotation or code. */
export const isFragment = (text: string): boolean =>
  count(text, '"') % 2 === 1 || count(text, "`") % 2 === 1 || text.includes("←") || COMMAND_LINE.test(text);
/** "tool --option path": typed, not said. */
const COMMAND_LINE = /^[$#>%]?\s*[a-z][\w.-]*(?: [\w./:=@-]+){0,3} --?[a-z][\w-]*(?:=[^\s`]+)?(?: [^\s`]+)*$/;
const count = (text: string, character: string): number => text.split(character).length - 1;

/** Says no more than that a message has sections. */
const SECTION =
  /^(?:(?:quick |final |brief |full |code |key |main |all |important |technical |the )*(?:summary|overview|analysis|details|context|background|notes?|changes?(?: made| include)?|what (?:changed|was (?:done|wrong|happening|fixed|added)|i did|happened)|concepts|findings|points|takeaways|files(?: and code sections)?|issues?(?: found)?|errors and fixes|problem solving|test coverage|results?|implementation|description|review|(?:is|was) (?:happening|the (?:issue|problem))|how it works(?: now)?|state|status|solution|done|completed|(?:what's )?good|strengths|positives)|summary of (?:the )?changes)(?: made| summary)?$|\?$/i;
/** "Looking at the flow", "To summarize", "Yes, just these": of the conversation. */
const SPOKEN =
  /^(?:so|and|but)$|^(?:(?:so|but|and|now|ok(?:ay)?),? )?(?:look(?:ing)? at|to (?:summari[sz]e|recap|answer)|here(?:'s| is| are)|yes|no|what matters|the flow|this (?:can|could|would|will)? ?(?:happens?|explains?|confirms?|shows?|means|is mitigated)|which|in your|that's|it's|these are)\b/i;
/** "Two different locations", "There are three cases": says only that a list follows. */
const ANNOUNCES =
  /^(?:(?:there are|we have|it has|here are|these are|this has|i (?:see|found)|found) )?(?:the |these |only |exactly )?(?:two|three|four|five|six|seven|eight|nine|ten|several|some|a few|\d{1,2}) (?:(?!of\b)[\w-]+ ){0,2}(?:\w+s|kinds of \w+|types of \w+|ways to \w+)(?: (?:here|left|involved|to (?:consider|note|know)))?[.:]?$/i;
export const announcesList = (text: string): boolean => ANNOUNCES.test(text);

/** A heading that names no subject. */
export const isBare = (heading: string): boolean =>
  heading === "" || SECTION.test(heading) || SPOKEN.test(heading) || isPassingHead(heading);

function isPassingHead(heading: string): boolean {
  const found = passingClass(`${heading}:`);
  return found !== null && found !== "conflict";
}
