/** `stele hook`, when it is not started directly, and the digest of what hooks recorded. */
import { homeFolder } from "../../app/environment.ts";
import { takeHome } from "../../app/hook-settings.ts";
import { catalog } from "../../catalog/catalog.ts";

/** A host that runs this after each turn, in the background, needs no server for its sessions to be captured. */
const DIGEST_SECONDS = 20;

/** Capturing hooks are usually started directly, without this program. */
export async function run(argv: readonly string[]): Promise<number> {
  if (argv[0] !== "digest") return (await import("../../hook.ts")).main(["hook", ...argv]);
  takeHome(argv);
  return digestReports();
}

/** `stele hook digest`: it prints nothing, and like every hook it never fails. */
async function digestReports(): Promise<number> {
  try {
    if (!(await import("../../app/hook-settings.ts")).hookSettings().mayCapture) return 0;
    const [{ openWorld }, { dispatch }] = [
      await import("../../app/compose.ts"),
      await import("../../catalog/dispatch.ts"),
    ];
    // Where no hook has left anything, there is nothing to begin.
    const { world, close } = await openWorld({ host: "hook", settings: { log: { level: "silent" } }, reads: true });
    try {
      await dispatch(await catalog.load("extract"), { withinSeconds: DIGEST_SECONDS }, world);
    } finally {
      await close();
    }
  } catch (thrown) {
    // What was recorded waits for the next one to digest it.
    const { faultName, logHook } = await import("../../sessions/hook-log.ts");
    logHook(homeFolder, `What hooks recorded was not digested: ${faultName(thrown)}.`);
  }
  return 0;
}
