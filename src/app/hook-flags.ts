/** The flags of `stele hook`, which are read before anything is loaded that could check them. */
import { nameHome } from "./environment.ts";

/** Null if it is not given. */
export function flagOf(flag: string, argv: readonly string[]): string | null {
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at === -1) return null;
  return argv[at] === flag ? (argv[at + 1] ?? null) : argv[at]!.slice(flag.length + 1);
}

/** Uses the data folder that a host names, from here on. */
export function takeHome(argv: readonly string[]): void {
  const home = flagOf("--home", argv);
  if (home !== null) nameHome(home);
}
