/** Log messages that were added, which the code itself shows. */
import { phrases, raw } from "../../phrases.ts";

const LEVEL = "(debug|error|info|trace|verbose|warning)";

export const ABOUT_LOGS = phrases({
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
