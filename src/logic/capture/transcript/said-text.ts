/**
 * What a person or an agent really said, without what a host or we ourselves put around it.
 *
 * Hosts record reminders, command wrappers and notices as if the person had typed them. Learning from those, or from
 * memories that were injected, would teach the store its own words.
 */
const OWN_BLOCK = /(?:<!--\s*)?STELE_MEMORY_START[\s\S]*?(?:STELE_MEMORY_END(?:\s*-->)?|$)/g;
/** Unclosed, it hides the rest: better to lose words than to keep them against the person's will. */
const PRIVATE = /<private>[\s\S]*?(?:<\/private>|$)/gi;
const WRAPPERS =
  "system-reminder|task-notification|local-command-[a-z]+|bash-(?:input|stdout|stderr)|user-prompt-submit-hook|" +
  "ide_[a-z_]+|session-memory|environment_context|user_instructions|INSTRUCTIONS|permissions instructions|" +
  "turn_aborted|subagent_notification|skill|collaboration_mode|user_shell_command|hook_context";
const WRAPPED = new RegExp(`<(${WRAPPERS})\\b[^<>]{0,200}>[\\s\\S]*?(?:</\\1>|$)`, "gi");
const NOTICE =
  /^\s*(?:\[Request interrupted|Caveat: The messages below|Base directory for this skill:|Operation stopped by hook|(?:SessionStart|UserPromptSubmit|Stop|PreToolUse|PostToolUse)(?::\w+)? hook |# AGENTS\.md instructions|\[Image)/i;
const COMMAND = /<command-name>\s*([^<]*?)\s*<\/command-name>/i;
const ARGUMENTS = /<command-args>([\s\S]*?)<\/command-args>/i;

/** Applies to every text of a transcript, also commands and results. */
export const withoutHidden = (text: string): string =>
  text.includes("STELE_MEMORY_START") || /<private>/i.test(text)
    ? text.replace(OWN_BLOCK, " ").replace(PRIVATE, " ")
    : text;

/** A prompt as the person typed it; null when the host wrote it. */
export function typedPrompt(text: string): string | null {
  const shown = withoutHidden(text);
  const command = COMMAND.exec(shown)?.[1];
  if (command !== undefined) return `${command} ${ARGUMENTS.exec(shown)?.[1] ?? ""}`.trim();
  const typed = shown.replace(WRAPPED, " ").trim();
  return typed === "" || NOTICE.test(typed) ? null : typed;
}
