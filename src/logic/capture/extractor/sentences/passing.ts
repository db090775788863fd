/**
 * Sentences that teach a later session nothing: what an agent does next, asks or answers politely, how things stand at
 * this moment, and talk about the session or the agent's own tools.
 *
 * Each class has its name, so that a test can show what it leaves out. A reason makes most of them worth keeping.
 */
import { tellingStems } from "../../../text/words.ts";

const COUNT = String.raw`(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|several|some)`;
const PROVEN = String.raw`(?:resolved|addressed|done|completed?|handled|fixed|green|clean|passing|pass(?:es|ed)?|replied to)`;

const HASH = String.raw`\x60?(?=[0-9a-f]*\d)[0-9a-f]{7,40}\x60?`;
/** "Null in `rateOf()`: already fixed in 4be1d07c": neither the cause nor the fix. Longer heads tell of a cause. */
const BARE_STATUS = new RegExp(
  String.raw`^(?:(?![.;!?]\s|\bwhen\b).){0,100}?(?:^|[:—–]\s|\s-\s|\b(?:is|are|was|were|been)\s)(?:(?:now|already|all|both|also)\s)*` +
    String.raw`(?:fixed|addressed|done|resolved|handled|solved|answered)(?: (?:earlier|before|above|(?:in|by|with|via) (?:(?:commit|the|this|that|an|earlier|previous|last|same|review|its|pr) ){0,3}(?:commits?|threads?|comments?|repl(?:y|ies)|pr|pull request|${HASH}|#\d+)))?[.!]?$`,
  "i",
);

const PASSING = {
  /** An agent that says what it does next, or asks what to do. */
  announcement: [
    /^(?:(?:ok(?:ay)?|good|great|perfect|excellent|now|first|next|then|yes|sure|right|alright|hmm|wait|also|and|so)\b[\s,.!:—–-]*)*(?:let me|let's (?:see|check|look|run|start|verify)|i'll|i will|i(?: still)? need|i'm (?:going to|using|now)|i can see|want me to|would you like|shall i|should i|do you want|which \w+ would you|ready to)\b/i,
    /\blet me\b|^wait\b|\bbut wait\b|^now try\b|^try (?:it|that|this|again)\b|^here(?:'s| is| are)\b[^.]*:[.!]?$/i,
    /^(?:now|next|then|first|finally)\b,? (?:(?:i|we) (?:can |must |should |have to |need to )?)?(?:the|for|a (?:unit |new )?test|adapt|add|build|change|check|commit|confirm|create|fix|handle|implement|look|make|move|push|read|refactor|remove|rename|replace|run|see|start|test|update|verify|wire|write)\b/i,
  ],
  courtesy: [
    /\bwhenever you\b|\byou're right\b|^(?:good|fair) point\b|\bwhen you're ready\b|\bready (?:for you )?to commit\b|^(?:done|all (?:clean|good|green|set)|looks? good|clear picture now|good question)[.!]?$/i,
    /^[^.;:—]{0,40}\b(?:valid|good|fair) (?:points?|concerns?|catch(?:es)?|observations?)\b[^.;:—]{0,20}[.!]?$|^[^.;:—]{0,20}\bthe right (?:thing|call|move)(?: to do)?[.!]?$/i,
    /^(?:good|great|nice|perfect|excellent|interesting|ok(?:ay)?)\b\s?[,!:;—–-](?!.{40})|^(?:good|great|nice|perfect|excellent|interesting|ok(?:ay)?)\b\s?[,!:;—–-](?!.*`)/i,
  ],
  /** How things stand: of no use an hour later. */
  status: [
    /^(?:currently|already)\b|\b(?:right now|at the moment|still needs? resolution)\b|^you (?:currently |now |already |can (?:now |also )?)?(?:have|are on|see|test|try)\b|^you can\b.*\bnow\b|\b(?:fail(?:s|ures?)? as expected|red phase)\b/i,
    /^(?:all |the |actual |full |\d+ )*(?:tests?|checks?|lint(?:er)?|builds?|ci|everything)(?:,? (?:and|&) \w+)* (?:all |both |still |now )*(?:pass(?:es|ed|ing)?|(?:is|are|comes? back) (?:all |now )*(?:clean|green|passing|fine)|clean|green|succeeds?)\b[^.;:]{0,40}[.!]?$/i,
    /^(?:it|the (?:code|project|build)) (?:now |still )?(?:compiles|builds)\b|\b(?:is|are) now (?:correct|fixed|clean|fine)[.!]?$|^no (?:more |merge |remaining )?(?:conflicts?|errors?|failures?|warnings?)\b[^;:`]*$/i,
    /^[✓✔✅☑]|^(?:edit|part|phase|step|task) \d+(?::|(?: is)? (?:complete|done)\b)/i,
    /^(?:[\w ]{0,12}[—–-] )?(?:already )?(?:fixed|addressed|done|resolved|handled) in (?:commit )?`?[0-9a-f]{7,40}`?[.!]?$/i,
    /^`?[\w./~-]+`? \((?:created|modified|edited|new|deleted|updated)\b[^()]*\)[:;.]?$/i,
    /^the current (?:head|branch|commit)\b|\b(?:instrumented (?:with|for)|temporary (?:logging|logs?|prints?|instrumentation))\b|\bjust (?:added|changed|created|fixed|removed|updated)\b/i,
    /^(?:(?:the )?(?:plan|implementation|work|task|phase|step)\b.{0,20}|all (?:validation|verification|checks?) )(?:is )?(?:now )?(?:approved|completed?|done|finished|passes|saved|updated)\b/i,
    /^the (?:pr|branch) (?:is|should be) (?:now )?(?:clean|ready|up to date)\b|^the last edit i made\b/i,
    /^lines? \d+\b.{0,12} (?:is|are) in\b|^[^`]*\S \| \S|\+\d+ ?\/ ?[-−]\d+/i,
    /^lines? \d+(?:(?:,| and|-| to) \d+)* (?:reads?|says?|needs?|stays?)\b|^i(?:'ve| have) found\b[^:—]{0,40}[.!]$|^the rest (?:is|are)\b/i,
    new RegExp(
      `^(?:both|all|each|${COUNT})\\b.{0,30}\\b(?:comments?|threads?|issues?|items?|tasks?|todos?|tests?|cases|suites?)\\b.{0,30}\\b${PROVEN}\\b[^;:—]{0,120}$`,
      "i",
    ),
    /^(?:replied|committed|pushed|merged|rebased)\b(?: (?:to|with|on|as|and)\b|:| —)|^done (?:to|with|on|as|and)\b/i,
    /[⏳🔄🚧]|^expected: |\b(?:successfully|correctly|as expected)[.!]?$|^i(?:'ve| have)? (?:now )?(?:completed|finished|verified|confirmed|reviewed)\b[^:;—`]*$|^fixed\s?[—–-]|\b(?:\w+ed|works?) (?:successfully|correctly|as expected|fine)\b[.!]?$|^we successfully\b|^successfully (?:ran|pushed|committed|created|completed|verified|tested|built)\b|\bchanges are (?:already |now )?(?:pushed|committed|in place)\b|\b(?:is|are) (?:being|firing|running|working)\b(?!.*`.*`)/i,
    /^`?[\w-]+`? is (?:now |already )?(?:installed|authenticated|available|configured|set up)\b[^.;:]*[.!]?$|^(?:the .{1,30} )?found (?:all )?\d+\b|\bsuccessfully \([^()]*\)[.!]?$|\bworks? for all\b[^.;:]*[.!]?$|^the \w+ (?:have|has) been (?:updated|saved|pushed|committed)\b/i,
    /\b(?:we|you|i|is|are)(?:'re|'m)? currently\b|^all (?:clean|good|green)\b|^all set\b(?!\s?[:—–])|^everything (?:passes|works|is (?:green|clean))\b/i,
  ],
  /** Where a review, a branch or a run stands, which its host knows better. */
  report: [
    BARE_STATUS,
    /\b(?:threads?|comments?|reviews?)\b.{0,40}\b(?:needs?|needing|await(?:s|ing)?|pending|waiting for)\b.{0,20}\b(?:response|reply|answer|approval)\b/i,
    /^once (?:#\d+|(?:the|this|that) (?:pr|branch|pull request))\b|^[^`]*\b(?:created|opened|pushed|merged)\b[^.;:`]{0,30}\b(?:PRs?|pull requests?)\b[^`]*$/i,
    /\b(?:added|changed|created|introduced|merged|pushed|released|rebased)\b[^.;:]{0,15}\b(?:today|yesterday|tonight|this (?:morning|afternoon|evening))\b|\bon this (?:system|machine|computer|laptop)\b|\(\d+ (?:uses?|times|occurrences?|hits?)\)/i,
    /^(?:created: )?(?:draft )?(?:pr|pull request) #?\d+\b|\b(?:comments?|threads?)\b.*\breplied to\b|^already fixed\b|\bthere (?:was|were) \d+ (?:\w+ )?(?:threads?|comments?)\b|\bunrelated to (?:our|this|my|the) changes?\b|^(?:the )?\w+ (?:diagnostics|errors|warnings) (?:is|are) pre-existing\b/i,
    /^\d+ rebased\b|^(?:acknowledged|disagree|replied)\b|\brebased on\b[^.;:]{0,30}\band pushed\b/i,
  ],
  /** What somebody might do, or weighs doing. */
  proposal: [
    /\b(?:simplest|cleanest|easiest|best|proportionate|most pragmatic|better|cleaner|simpler) (?:fix|way|approach|solution|option|move|idea)\b[^.:;]{0,40}(?:\b(?:is|would be|might be)\b|:)/i,
    /\bi (?:suggest|recommend|propose)\b|\bi(?:'d| would) (?:suggest|recommend|propose)\b|\b(?:suggests?|recommends?|proposes?):$|— actually\b|\.\.\. no\b/i,
    /^a (?:simpler|better|cleaner|safer) [^.;:]{0,30} would be\b/i,
    /\bworth testing\b|\bunit-testable\b|\b(?:we|i) can (?:just |simply )?test\b|\b(?:that|it)'s the (?:bit|part) (?:worth|to)\b/i,
    /^(?:run|rerun|re-run) the (?:\w+ )?tests?\b/i,
    /^if (?:we|you|anyone|somebody)\b.*\b(?:we|you) (?:can|could)\b/i,
    /^(?:we|you|one) (?:could|can (?:just|simply|either|now)|should|might|may want|need to|would need|'d need)\b|^(?:the|a|one|another|my|your) (?:\w+ )?(?:fix|solution|approach|idea|option|alternative|change|workaround) (?:should|would|could|might|needs? to|is to)\b|^(?:should|could|would|might|consider|maybe|perhaps|recommend(?:ed)?|suggest(?:ed|ion)?)\b|\bshould (?:definitely|probably|really|just|also)\b|\b(?:needs? to|should) be (?:made|\w+ed)\b|^adding\b.*\bwould\b/i,
  ],
  /** Says that work is good, which does not tell how it works. */
  praise: [
    /\b(?:surgical|well-(?:scoped|tested|structured|written|designed|organi[sz]ed|documented)|looks? (?:good|great|solid|correct|fine|clean|right)|nicely|elegant|good (?:defensive|coding) practices?|valid (?:\w+ )?(?:fix|concern|issue)s?|(?:are|is)(?: all| both)? (?:fair|good) points?|defensive coding practices?)\b/i,
  ],
  /** What a search or a run has just shown, before anybody knows what it means. */
  count: [
    new RegExp(
      `^(?:there (?:is|are) )?(?:only |just |all |both |the )?(?:other )?${COUNT} (?:of \\w+ )?(?:[\\w-]+ ){0,2}(?:commits?|conflicts?|errors?|failures?|issues?|fix(?:es)?|comments?|threads?|changes|occurrences?|files?|places|references?|things|problems|warnings|matches|results|hits|tests?)\\b[^;:—(]{0,60}$`,
      "i",
    ),
  ],
  /** "Has 271 messages", "7 project sources": so many of something that is not named. */
  tally: [
    /^(?:(?:it|the [\w-]+|this [\w-]+) )?(?:now |currently |still )?(?:has|have|had|holds?|contains?|contained|with|shows?|lists?) (?:a total of |about |around |only |all )?[~≈]?\d[\d,.]*[+k]? (?:[\w-]+ ){0,4}[\w-]+(?: \([^()`]*\))?(?: in (?:total|all))?(?:: [^`]*)?[.;]?$/i,
    /\b(?:is|are|adds?|makes?) [~≈]\d[\d,.]* (?:[\w-]+ ){0,3}[\w-]+s\b[^`]*$/i,
    /^(?:about |around |only |a total of )?[~≈]?\d[\d,.]*[+k]? (?:(?!(?:are|is|was|were|has|have|must|can|will)\b)[\w-]+ ){0,4}(?!(?:are|is|was|were|has|have|must|can|will)\b)[a-z][\w-]*(?: \([^()`]*\))?(?: in (?:total|all))?[.;]?$/i,
  ],
  /** Measured once: on a date, or so many at the time. */
  measured: [
    /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}\b[^.]{0,30}:|\bthere (?:are|were) still \d+/,
  ],
  /** A single commit, session or run, which nobody meets again; a fix may say where it was made. */
  instance: [
    /(?<!\b(?:added|changed|done|fixed|introduced|merged|reverted|since) (?:in|by|with)? ?(?:commit )?`?|")\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b(?!`?(?: \([^()]*\))? (?:added|broke|changed|introduced|moved|removed|renamed|replaced)\b)|(?:`(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{6}`.*){2}/i,
  ],
  /** What the two sides of a conflict have, and which was taken; the outcome is in the code. */
  conflict: [
    /^`?(?:(?:the|your|our|my|their|this|feature|parent|current|incoming|other|local|remote) (?:\w+ )?(?:branch|side|version)|HEAD|ours|theirs|incoming|(?:origin|upstream)\/[\w./-]+)`?(?: \([^()]*\))?\s?(?:[:—–]|-(?= ))\s*\S/i,
    /^the `?(?:HEAD|main|master|incoming|(?:origin|upstream)\/[\w./-]+)`? side\b/i,
    /\b(?:main|master|upstream|(?:the )?parent(?: branch)?|(?:origin|upstream)\/[\w.-]+)\b`? (?:side )?(?:had|has|adds?|added|changed|kept|uses?)\b.*\b(?:while|whereas|and|but) (?:the|our|your|this|my) (?:feature )?branch\b/i,
    /^(?:merge(?:d)? (?:remote-tracking )?(?:branch\b|(?:origin|upstream)\/|main\b|master\b)|resolved? (?:the |a |all |both |\d+ )?(?:merge |rebase )?conflicts?\b)/i,
    /\b(?:HEAD|ours)\b.*\b(?:incoming|theirs)\b|\b(?:incoming|theirs)\b.*\b(?:HEAD|ours)\b/i,
    /\bconflicts? (?:resolved|files?|\d)|\bkept (?:HEAD|ours|theirs|incoming)\b|\btook (?:the|our|their) (?:\w+ )?(?:branch|version|side)\b|\brebase steps?\b|\bHEAD (?:\([^()]*\) )?(?:side|has)\b|\bbranch version\b|\bconflicted files?\b|\bconflicts? (?:is|are) (?:straightforward|trivial|simple|small|in|at|between)\b|\bintermediate (?:rebase )?commit\b|^(?:commit|conflict) (?:"|\d)/i,
  ],
  /** A file and what it is for: its name or its first line says as much. */
  listing: [
    /^[^.;:]{0,60} \(lines? ~?\d[^()]*\)[.;]?$/i,
    /^`?[\w./-]+\.\w{1,5}`?(?: \([^()]*\))?\s*[-—–:]\s*(?!.*\b(?:\w+ed|now|no longer|must|not)\b)[^.;]{3,70}$/i,
  ],
  /** What was done to tests, which the tests themselves show. */
  tests: [
    /^(?:\w* ?tests? (?:fix|repair|update)(?:es|s)?: )?(?:also )?(?:updated|adjusted|fixed|changed|adapted|repaired|amended|update|adjust|fix|adapt) (?:(?:the|all|both|our|its|their|existing|\d+|call(?:s|ers?)?|sites?|in|of|integration|unit) ){0,5}(?:`?[\w./-]*(?:_test\.\w+|\.(?:test|spec)\.\w+|_spec\.\w+|\btest_\w+\.\w+|Tests?\.\w{2,5})`?|tests?\b|mocks?\b|fixtures?\b|stubs?\b)/i,
    /^(?:also )?(?:renamed|updated|adjusted|extended|changed|fixed) (?:all |the |both |\d+ |\w+ ){0,3}(?:tests?\b|assertions?\b|`?Test[A-Z_]|`?test_|occurrences\b|expected\b)|^added `?[Tt]est_?\w+`?[.;]?$|^`?Test[A-Z]\w+`?\s*[-—–:]\s|^tests?: \w+[.;]?$/i,
  ],
  aboutSession: [
    /\b(?:in|from|for|during|of) this (?:session|conversation|chat)\b|\bthis (?:session|conversation) (?:was|wasn't|is|isn't|has|hasn't|did|spawned|used)\b/i,
    /\b(?:earlier|previous|prior) (?:portion|part|messages?) of (?:the|this|our) conversation\b|\bran out of context\b|\bi (?:said|mentioned|noted|wrote) (?:above|before|earlier)\b|^if you need specific details from before\b/i,
    /\buser(?: \w+ly| also| then| later| has| had| just| explicitly)* (?:asked|invoked|ran|started|wanted|noted|reported|requested|provided|referenced|mentioned|pushed back|clarified|interrupted|hasn't|caught|confirmed|correction|feedback|directed|rejected|returned|said)\b|^user reports\b|^(?:note: )?(?:the )?user(?: also| then| later)* (?:modified|chose|approved|tested|found)\b[^.;]*[.]?$/i,
    /^[^.;:]*\byou (?:mentioned|said|asked|noted|pointed out|described|pasted)\b[^.;:]*[.]?$|\byou want(?:ed)? (?:a|an|the|me|it|this|that|to)\b|^next time you\b/i,
    /^(?:message \d+|["“][^"”]{1,80}["”] \()|^\w+ (?:responded|replied|said|answered):? ["“]/i,
  ],
  /** What the agent knows, can or wants; what it did is another matter. */
  aboutAgent: [
    /\bi (?:do not|don't|did not|didn't|can|can't|cannot|could|couldn't|want(?:ed)?|wasn't|haven't|hadn't|should|need to|must|have to|acknowledged|asserted|have (?:a|the|enough|all))\b|\bi(?:'ll| will|'d (?:lean|go|prefer|want|say|do)|'m (?:going to|just|only))\b|^[^.;:]*\bmy (?:new|test)\b[^.;:]*[.:]?$|\bmy (?:\w+ ){0,2}(?:tests?|fix(?:es)?|changes?|edits?|code|script|implementation)\b|\bi just\b|\bmy (?:earlier|previous|own) |^the `[^`]+` ones? (?:is|are)\b|^read to\b|\bi'd call\b|\bmy (?:research|analysis|search|investigation|understanding|hypothesis)\b/i,
  ],
  aboutTools: [
    /^(?:the|that|this|my) (?:last |first |previous )?(?:edit|search|grep|tool call|agent|subagent)\b.{0,40}\b(?:failed|succeeded|worked|didn't|did not|returned|found|took|completed|timed out|must have)\b/i,
    /^i now (?:have|understand|see)\b|\bi (?:dispatch|launch|spawn)\b|\b(?:my|the) (?:todo|task) list\b|\bplan mode\b/i,
  ],
} as const;
export type PassingClass = keyof typeof PASSING;

/** A reason makes even such a sentence worth keeping, unless it is about the session or an agent's next step. */
const REASONED = /\b(?:because|since|instead|rather than|so that|due to)\b/i;
const NEVER_KEPT: ReadonlySet<PassingClass> = new Set([
  ...(["announcement", "aboutSession", "aboutAgent", "aboutTools", "proposal", "praise"] as const),
]);
export const isReasoned = (text: string): boolean => REASONED.test(text);
const ANNOUNCED = PASSING.announcement[0];
const LEAST_STEMS = 4;
const NAMES_CODE = /`|\w\(\)|[a-z][A-Z]|\w_\w/;
const QUESTION = /\?["')\]*`]*$/;

export function passingClass(text: string): PassingClass | null {
  if (ANNOUNCED.test(text)) return "announcement";
  const isReasoned = REASONED.test(text);
  for (const [name, patterns] of Object.entries(PASSING) as [PassingClass, readonly RegExp[]][])
    if ((!isReasoned || NEVER_KEPT.has(name)) && patterns.some((pattern) => pattern.test(text))) return name;
  return null;
}

const MOMENTARY: ReadonlySet<PassingClass | null> = new Set(["status", "count"] as const);

/** Says nothing at any time; how things stood may at least show what the work was about. */
export function isChatter(text: string): boolean {
  const found = passingClass(text);
  return found !== null && !MOMENTARY.has(found);
}

/** An agent's question waits for an answer; a person's may state the problem. */
export const isQuestion = (text: string): boolean => QUESTION.test(text);

/** "Tests pass.", "Now I see the issue.": true at the time, and of no use later. */
export function isEmpty(text: string): boolean {
  const said = text.replace(/https?:\S+/g, "");
  return !NAMES_CODE.test(said) && tellingStems(said).size < LEAST_STEMS;
}

/** What stands under these heads was not found, but weighed, asked or cited. */
const IDLE_HEAD =
  /\b(?:options?|alternatives?|could be|might be|may be|possible (?:causes?|reasons?|explanations?)|possibilities|user messages|files (?:examined|read|reviewed|viewed)|what i'd|current work|optional next step|(?:approach|idea|steps|key things|next steps) (?:is|are)|(?:appears?|found|referenced|mentioned) in|files to (?:change|modify|edit|update|create))\b|^(?:experiment \d|verification|testing|test plan|implementation steps|(?:success|failure) (?:indicators|criteria)|expected (?:results?|behaviou?r|outcome)|acceptance criteria)\b|^(?:sources?|references|links|required|optional|nits?|recommend(?:ed|ations?)(?: changes?| fix(?:es)?)?|suggest(?:ed|ions?)(?: changes?| fix(?:es)?)?|(?:what's )?good|strengths|positives?|praise|next steps|currently)$/i;
/** "The session now": one thing at one moment; what a program now does is another matter. */
const MOMENTARY_HEAD =
  /^(?:the|this|our) (?:\w+ )?(?:session|file|branch|repo(?:sitory)?|worktree|director(?:y|ies)|folder|log|output|state|database|table|index|list|queue)s? (?:is |are )?(?:now|currently)(?: (?:has|have|contains?|shows?|looks like(?: this)?))?$|^(?:the|this) \w+ (?:contains|has|is) (?:a )?valid\b/i;
const PLANNED_HEAD =
  /\b(?:we|i) (?:need|have|want|should)\b|\b(?:would|should) be(?: either)?$|\bneed(?:s|ed)$|\bplan\b/i;
export const isIdleHead = (heading: string): boolean =>
  [IDLE_HEAD, MOMENTARY_HEAD, PLANNED_HEAD].some((pattern) => pattern.test(heading));

/** A guess: it may have turned out otherwise. */
const HEDGED =
  /\b(?:looks like|should (?:now |then )?(?:be \w+ed|work|appear|pass|see)\b|could (?:have|also|potentially|accidentally|inadvertently)|supports (?:this|that)|rules? (?:out|it out)|in theory|should be (?:fine|ok(?:ay)?|enough|safe)|suspicious|suggests? that|likely|probably|maybe|perhaps|presumably|(?<!\byou )might|may (?:be|have)|could be(?! \w+(?:ed|en|wn)\b)|seems?|appears? to|hypothesis|suspicions?|would explain|i (?:think|suspect|assumed?|believe|guess|wonder)|i'd (?:say|guess|bet)|my (?:guess|theory|hunch))\b/i;
export const isGuess = (text: string): boolean => HEDGED.test(text);

/** A summary is made in the middle of the work: what it tells of the way there and of the next hour is soon overtaken. */
const UNDER_WAY =
  /^(?:[\w ]{0,40}: )?(?:discussed|reviewed|traced|explored|investigated|analy[sz]ed|examined|searched|aligned|(?:\w+ )?(?:sub-)?issues? created|created (?:\w+ )?(?:sub-)?issues?)\b|\binitially (?:suspected|thought|tried|failed|blamed)\b|^(?:\d+\. )?i(?:'ve| have)? (?:then |also |now )?(?:\w+ed|began|found|made|read|ran|wrote|got)\b|^(?:i then|current(?:ly)?|need to|started)\b|\b(?:still needs?|currently (?:failing|resolving)|in progress|red phase|remaining \d+)\b|^after (?:resolving|fixing|finishing)\b/i;
const UNDER_WAY_HEAD = /\bchronologically\b|\b(?:pending tasks?|next steps?|current work|primary request)\b|^i then\b/i;
export const isUnderWay = (text: string, heading: string): boolean =>
  UNDER_WAY.test(text) || UNDER_WAY.test(heading) || UNDER_WAY_HEAD.test(heading);
