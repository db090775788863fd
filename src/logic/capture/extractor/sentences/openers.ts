/**
 * Takes from the beginning of a sentence what belongs to a conversation, so that it states its fact.
 *
 * Politeness, agreement and remarks on the search go wherever they stand; words that tie a sentence to the one before
 * go only where that one is missing.
 */
const END = String.raw`(?:\s?[,.!:;—–]|\s-)\s*`;
const SAID = [
  "(?:you're|you are|that's) (?:absolutely |totally )?(?:right|correct)",
  "(?:good|great|fair|excellent|valid|nice) (?:point|catch|question|idea|call|news)s?",
  "fair enough|got it|understood|interesting(?:ly)?|agreed|exactly|absolutely|indeed|perfect|great|good|nice|excellent",
  "(?:the|this|that|your) (?:change|fix|diff|code|implementation) (?:is|looks) (?:clean|correct|fine|good|right)",
  "correction|short answer|to be clear|in short|bottom line|tl;?dr|in your case|(?:for|as of) now|so yes|found it|bingo|aha|(?:all )?(?:done|set)",
  "(?:here's |that's |found |there's )?the (?:real |actual |exact )?(?:issue|problem|bug|culprit|key (?:insight|point|thing|finding|observation))",
  "look at (?:the|this) [a-z ]{1,30}|looking at (?:the|this|that|these|those|it)? ?[^,:.]{1,60}",
  "to (?:summari[sz]e|recap|answer (?:your|the) question)[^:,.]{0,80}|as (?:you (?:asked|said|noted|mentioned|suggested|requested)|(?:mentioned|noted|discussed|described|explained|seen|shown) (?:above|before|earlier)|expected|i (?:said|mentioned))",
  "(?:no,? )?(?:that|this|it)(?:'s| is| was) (?:wrong|incorrect|not (?:right|correct|true|quite right))",
  "(?:i was|my) (?:wrong|mistaken|mistake|bad)(?: (?:about that|there|before))?|not quite",
  "(?:already )?(?:fixed|addressed|done|resolved|handled) in (?:commit )?`?(?=[0-9a-f]*\\d)[0-9a-f]{7,40}`?",
  "hmm+|ah+|oh+|i see(?: now)?|actually|no|nope|nah|wait|right|yes|yep|yeah|yup|sure|ok(?:ay)?|well|honestly(?: though)?|(?:worth noting|note)(?: that)?",
].join("|");
const TIED = "however|also|additionally|that said|so|and|but|then|thus|therefore|hence|meanwhile|similarly|likewise";
const CONVERSATION = new RegExp(`^(?:(?:(?:but|and|so),? )?(?:${SAID})${END})+`, "i");
const TIE = new RegExp(
  `^(?:(?:${SAID}|${TIED})${END}|(?:but|and|so) (?=\\S)|(?:also|it turns out|turns out|i (?:can )?see)(?: that| there's)? (?=\\S))+`,
  "i",
);
/** "I've added X" tells what was done; who did it does not matter later. */
const DOER =
  /^(?:i|we)(?:'ve| have)? (?:also |just |now |then |already )?(?=(?:added|built|changed|consolidated|converted|created|deleted|disabled|documented|dropped|enabled|extended|extracted|filed|fixed|implemented|introduced|kept|made|moved|refactored|removed|renamed|replaced|restored|reverted|rewrote|simplified|split|switched|updated|wrapped|wrote)\b)/i;

/** That something is to be remembered is settled by its being here. */
const REQUEST =
  /^(?:please,? )?(?:remember|keep in mind|bear in mind|for the record|don't forget)(?:[:,]| that\b| this[:,])\s*|,? (?:please )?remember (?:that|this)(?=[.!]?$)|^actually (?=(?:the|our|we|it|this|that|all|no)\b)/i;

/** `isFirst`: nothing stands before it. */
export function withoutOpener(text: string, isFirst: boolean): string {
  const rest = text
    .replace(isFirst ? TIE : CONVERSATION, "")
    .replace(REQUEST, "")
    .replace(DOER, "");
  return rest === text || rest.length < SHORTEST ? text : `${rest[0]!.toUpperCase()}${rest.slice(1)}`;
}

const SHORTEST = 12;
