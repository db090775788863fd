/** Log messages that were added, which the code itself shows. */
import { phrases, raw } from "../../phrases.ts";

const LEVEL = "(debug|error|info|trace|verbose|warning)";

export const ABOUT_LOGS = phrases({
  "how the added messages look": {
    opening: [
      raw`(these|(the|all) (new|added)) (${LEVEL} )?(logging|log (lines|messages|statements)) ` +
        "(follows?|uses?|match(es)?)",
      "the logging follows the (same )?(pattern|style|conventions?)",
    ],
    like: ["The logging follows the pattern of the importer.", "The new log messages use structured attributes."],
    unlike: [
      "The logging of payments is required by law.",
      "The log messages include the address of the customer, which is a leak.",
      "All log statements use `logger.child()`.",
    ],
  },
  "log messages that were added": {
    opening: [
      raw`(\d+\. )?(also )?add(ed|s)? (more |some |structured )?(${LEVEL}( |-level ))?` +
        "log(s|ging)?( (lines|messages|statements))?",
    ],
    like: [
      "Added debug logs for rates that cannot be read.",
      "Added structured logging to `total()`.",
      "1. Added Debug Logging for Silent Errors",
    ],
    unlike: ["Added a log of all payments.", "Added logistics to the basket.", "The importer logs each rate twice."],
  },
});
