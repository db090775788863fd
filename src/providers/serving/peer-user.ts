/**
 * Whose process is at the other end of a connection within this machine, as far as the system tells.
 *
 * The address that a browser is started with can be seen by every user of the machine, and the code in it is good for
 * whoever comes first. Linux says who owns a connection; elsewhere nobody is told apart.
 */
import { readFileSync } from "node:fs";

export interface Ends {
  /** The port of ours, and the one of theirs. */
  localPort: number;
  remotePort: number;
}

/**
 * Null if it is not known: another system, a connection from elsewhere, or one whose process has closed it already. The
 * table says of those that nobody has them any more (no inode), and that root owns them, which need not be true.
 */
export function peerUser({ localPort, remotePort }: Ends, tables: readonly string[] = TABLES): number | null {
  const [ours, theirs] = [portText(localPort), portText(remotePort)];
  for (const table of tables) {
    for (const line of linesOf(table)) {
      const [, local = "", remote = "", , , , , uid = "", , inode = "0"] = line.trim().split(/\s+/);
      if (!local.endsWith(theirs) || !remote.endsWith(ours) || !isLoopback(local)) continue;
      return inode === "0" ? null : Number(uid);
    }
  }
  return null;
}

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
const portText = (port: number): string => `:${port.toString(16).toUpperCase().padStart(4, "0")}`;

/** As the tables write 127.0.0.0/8, also within IPv6, and ::1: each word of the address in the machine's own byte order. */
const isLoopback = (address: string): boolean =>
  /^(?:0{16}(?:0000FFFF|FFFF0000))?[\dA-F]{6}7F:/.test(address) || /^0{24}01000000:/.test(address);

function linesOf(table: string): string[] {
  try {
    return readFileSync(table, "utf8").split("\n").slice(1);
  } catch {
    // Another system.
    return [];
  }
}
