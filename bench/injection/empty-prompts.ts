/** Prompts that ask for nothing that could be remembered: after each of them a hook should be silent. */
export const EMPTY_PROMPTS: readonly string[] = [
  ...["ok", "go on", "continue", "yes", "yes please", "no", "thanks!", "great, thank you", "try again", "do it"],
  ...[
    "fix the tests",
    "run the tests",
    "commit this",
    "commit and push",
    "push it",
    "what's next?",
    "looks good to me",
  ],
  ...["why?", "how?", "are you sure?", "explain that again", "show me the diff", "undo that", "revert the last change"],
  ...["can you clean this up a bit?", "it still doesn't work", "same error", "that's not what I meant", "stop", "hm"],
  ...["let's move on to the next step", "please finish what you started", "make it faster", "make the code simpler"],
  ...["add a test for that", "add some comments", "rename it", "update the docs", "write a summary of what you did"],
  ...["read the file again and tell me what you think", "lgtm, ship it", "what did you just change?", "open a PR"],
  ...["/compact", "/clear", "1", "2.", "the second option", "use the first approach", "is everything green now?"],
  ...["I restarted the machine, please continue where you left off", "ok now do the same for the other files"],
  ...["great work, let's call it a day", "the build is red, have a look", "there is a typo in your last message"],
  ...["can you double check this before we merge it?", "ja, mach weiter", "bitte die Tests reparieren", "sí, adelante"],
];
