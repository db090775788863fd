import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { peerUser } from "../../src/http/serve-place.ts";

test("a connection belongs to whoever made it", async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const connected = once(server, "connection") as Promise<[Socket]>;
  const client = createConnection({ host: "127.0.0.1", port: (server.address() as AddressInfo).port });
  const [{ localPort, remotePort }] = await connected;
  assert.equal(peerUser({ localPort: localPort!, remotePort: remotePort! }), process.getuid!());
  assert.equal(peerUser({ localPort: localPort!, remotePort: 1 }), null, "of another one nothing is known");
  client.destroy();
  server.close();
});

const LINE = (local: string, remote: string, uid: number, inode = 4711) =>
  `   0: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0000000000000000 20 4 0 10 -1`;

test("the table is read as the system writes it", () => {
  const folder = mkdtempSync(join(tmpdir(), "stele-peer-"));
  const table = join(folder, "tcp");
  const ends = { localPort: 7835, remotePort: 40_000 };
  const [ours, theirs] = ["0100007F:1E9B", "0100007F:9C40"];
  for (const [line, expected, why] of [
    [LINE(theirs, ours, 1001), 1001, "their end"],
    [LINE(ours, theirs, 1002), null, "our own end says who we are"],
    [LINE("0101A8C0:9C40", "0101A8C0:1E9B", 1003), null, "not within this machine"],
    [LINE("0000000000000000FFFF00000100007F:9C40", "0000000000000000FFFF00000100007F:1E9B", 1004), 1004, "within IPv6"],
    [LINE("00000000000000000000000001000000:9C40", "00000000000000000000000001000000:1E9B", 1005), 1005, "IPv6 alone"],
    [LINE(theirs, ours, 0, 0), null, "closed by them, so that the table names root for anybody"],
    ["rubbish", null, "no line of a table"],
  ] as const) {
    writeFileSync(table, `head\n${line}\n`);
    assert.equal(peerUser(ends, [table]), expected, why);
  }
  assert.equal(peerUser(ends, [join(folder, "missing")]), null);
  rmSync(folder, { recursive: true, force: true });
});
