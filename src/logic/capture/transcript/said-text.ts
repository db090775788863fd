/**
 * What a person or an agent really said, without what a host or we ourselves put around it.
 *
 * Hosts record reminders, command wrappers and notices as if the person had typed them. Learning from those, or from
 * memories that were injected, would teach the store its own words.
 */
import { withoutUnsaid } from "../unsaid-text.ts";

const WRAPPERS =
  "system-reminder|task-notification|local-command-[a-z]+|bash-(?:input|stdout|stderr)|user-prompt-submit-hook|" +
  "ide_[a-z_]+|session-memory|environment_context|user_instructions|INSTRUCTIONS|permissions instructions|" +
  "turn_aborted|subagent_notification|skill|collaboration_mode|user_shell_command|hook_context";
const WRAPPED = new RegExp(`<(${WRAPPERS})\\b[^<>]{0,200}>[\\s\\S]*?(?:</\\1>|$)`, "gi");
const NOTICE =
  /^\s*(?:\[Request interrupted|Caveat: The messages below|Base directory for this skill:|Operation stopped by hook|(?:SessionStart|UserPromptSubmit|Stop|PreToolUse|PostToolUse)(?::\w+)? hook |# AGENTS\.md instructions|\[Image)/i;

/** A prompt as the person typed it; null when the host wrote it. */
export function typedPrompt(text: string): string | null {
  const shown = withoutUnsaid(text);
  const command = between(shown, "<command-name>", "</command-name>")?.trim();
  if (command !== undefined && !command.includes("<"))
    return `${command} ${between(shown, "<command-args>", "</command-args>") ?? ""}`.trim();
  const typed = shown.replace(WRAPPED, " ").trim();
  return typed === "" || NOTICE.test(typed) ? null : typed;
}

/** Not a pattern: one that looks for the end of every beginning takes very long on a text of beginnings. */
function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open);
  const end = start < 0 ? -1 : text.indexOf(close, start);
  return end < 0 ? undefined : text.slice(start + open.length, end);
}
