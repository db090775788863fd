/** Talk about the session: who said what in it, and what it was like. */
import { anyOf, phrases, raw } from "../../phrases.ts";

const ADVERBS = raw`( \w+ly| also| then| later| has| had| just| explicitly)*`;
const DID = anyOf(
  "asked|invoked|ran|started|wanted|noted|reported|requested|provided|referenced|mentioned|pushed back|clarified",
  "interrupted|hasn't|caught|confirmed|correction|feedback|directed|rejected|returned|said",
);

/** Whoever uses the product is not meant. */
const NOT_ANY = raw`(?<!\b((after|before|if|once|unless|until|when|whether)( the| a)?|an?|any|each|every|no) )`;

export const ABOUT_SESSION = phrases({
  "this session": {
    anywhere: [
      "(in|from|for|during|of) this (session|conversation|chat)",
      "this (session|conversation) (was|wasn't|is|isn't|has|hasn't|did|spawned|used)",
    ],
    like: ["The rounding was never tried in this session.", "This conversation was about the importer."],
    unlike: ["Each session of the shop has a basket."],
  },
  "what was said before": {
    anywhere: [
      "(earlier|previous|prior) (portion|part|messages?) of (the|this|our) conversation",
      "ran out of context",
      "i (said|mentioned|noted|wrote) (above|before|earlier)",
    ],
    opening: ["if you need specific details from before"],
    like: [
      "The summary covers the earlier part of the conversation.",
      'As I said earlier, the "total" column is text.',
    ],
    unlike: ["The earlier part of each order is archived."],
  },
  "what the user did": {
    anywhere: [`${NOT_ANY}user${ADVERBS} ${DID}`],
    opening: ["user reports"],
    pattern: [raw`^(note: )?(the )?user( also| then| later)* (modified|chose|approved|tested|found)\b[^.;]*[.]?$`],
    like: [
      "The user asked for a plan before any code.",
      "User reports of the shop are wrong.",
      "Note: the user later modified the rates.",
    ],
    unlike: [
      "Users of the basket may have several sessions.",
      "If the user returned an item, `refund()` is called with its rate.",
    ],
  },
  "what you did": {
    pattern: [raw`^[^.;:]*\byou (mentioned|said|asked|noted|pointed out|described|pasted)\b[^.;:]*[.]?$`],
    anywhere: [raw`(?<!\b(if|when|unless|whenever) )you want(ed)? (a|an|the|me|it|this|that|to)`],
    opening: ["next time you"],
    like: [
      "The change you mentioned was in another module.",
      "So you want the total rounded in the importer.",
      "Next time you import, look at the log.",
    ],
    unlike: ["The rates you want are in `rates.csv`.", "If you want the whole log, set `LOG`."],
  },
  "a message, word for word": {
    pattern: [raw`^(message \d+|["“][^"”]{1,80}["”] \()`, raw`^\w+ (responded|replied|said|answered):? ["“]`],
    like: ['Agent responded: "Ready to import"', '"Round the totals" (first prompt)', "Message 3 has the rates."],
    unlike: ['The bank answers "closed" on Sundays.'],
  },
});
