/**
 * Shows an address in the person's browser.
 *
 * The address is one argument of a program, so no shell reads it. The browser is the person's own: it stays when we end.
 */
import { spawn } from "node:child_process";
import { homedir } from "node:os";

/** The system's own command for it. */
export function browserCommand(address: string, platform: string = process.platform): readonly [string, ...string[]] {
  if (platform === "darwin") return ["open", address];
  if (platform === "win32") return ["rundll32.exe", "url.dll,FileProtocolHandler", address];
  return ["xdg-open", address];
}

/** False if it could not be started. */
export async function showInBrowser(address: string, command = browserCommand): Promise<boolean> {
  const [program, ...words] = command(address);
  // Windows looks for programs in the working folder first, and that may be a stranger's repository.
  const started = spawn(program, words, { stdio: "ignore", detached: true, cwd: homedir() });
  const isStarted = await new Promise<boolean>((resolve) => {
    started.once("spawn", () => resolve(true));
    started.once("error", () => resolve(false));
  });
  started.unref();
  return isStarted;
}
