/**
 * Encryption on the way to a team's server, with real certificates and a real server.
 *
 * Everything is on the loopback address. A name that is not this machine's is looked up by the test.
 */
import assert from "node:assert/strict";
import dns from "node:dns";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, mock, test } from "node:test";
import tls from "node:tls";
import { judgeTeam } from "../../src/maintenance/doctor-rules.ts";
import { examineTeam } from "../../src/store/postgres/team-space.ts";
import { teamServer } from "../../src/team/server-store.ts";
import { type Identity, makeAuthority } from "../store/postgres/certificates.ts";
import { packagedServer } from "../store/postgres/packaged-server.ts";

/** As far as the settings know, a name of another machine. */
const ELSEWHERE = "db.stele.test";
const PASSWORD = "correct-horse-battery";

const folder = mkdtempSync(join(tmpdir(), "stele-tls-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const authority = makeAuthority("The team's authority");
const certified = authority.certify(ELSEWHERE, "127.0.0.1");
const [caFile, otherCa, passwordFile] = ["ca.pem", "other.pem", "password"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
writeFileSync(caFile, authority.certificate);
writeFileSync(otherCa, makeAuthority("Somebody else").certificate);
writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });

before(() => {
  const real = dns.lookup;
  const lookup = (name: string, options: object, done: (...found: unknown[]) => void) =>
    real(name === ELSEWHERE ? "127.0.0.1" : name, options, done);
  mock.method(dns, "lookup", lookup as typeof dns.lookup);
});
after(() => mock.restoreAll());

const plainServer = await packagedServer();
after(() => plainServer?.end());
const server = await packagedServer({
  settings: { ssl: "on", ssl_cert_file: "server.crt", ssl_key_file: "server.key" },
  files: { "server.crt": certified.certificate, "server.key": certified.key },
});
after(() => server?.end());

type Settings = { tls?: "verify" | "off"; caFile?: string; passwordFile?: string };
const reach = async (url: string, settings: Settings) =>
  examineTeam(teamServer({ team: { url, ...settings } }), "stele_none");
const at = (url: string, host: string) => url.replace("127.0.0.1", host);

const UNPROVEN = {
  code: "unavailable",
  message: "The database server could not prove who it is.",
  hint: /team\.caFile/,
};

if (server && plainServer)
  describe("the way to a team's server", () => {
    const { url } = server;

    test("a server elsewhere is encrypted without being told so, and proves its name by the team's authority", async () => {
      assert.equal((await reach(at(url, ELSEWHERE), { caFile })).isEncrypted, true);
      assert.equal((await reach(at(url, ELSEWHERE), { tls: "verify", caFile })).isEncrypted, true);
      assert.equal((await reach(url, { tls: "verify", caFile })).isEncrypted, true, "by its address");
    });

    test("an authority that nobody named is not believed, and neither is another one", async () => {
      await assert.rejects(reach(at(url, ELSEWHERE), {}), UNPROVEN);
      await assert.rejects(reach(at(url, ELSEWHERE), { caFile: otherCa }), UNPROVEN);
    });

    test("a file that holds no certificate is told by its setting", async () => {
      await assert.rejects(reach(at(url, ELSEWHERE), { caFile: passwordFile }), {
        code: "unavailable",
        message: `${passwordFile} holds no certificate.`,
        hint: /team\.caFile/,
      });
    });

    test("a certificate is good for its own names only", async () => {
      await assert.rejects(reach(at(url, "localhost"), { tls: "verify", caFile }), UNPROVEN);
    });

    test("no variable of the environment weakens it", async () => {
      process.env["PGSSLMODE"] = "disable";
      try {
        await assert.rejects(reach(at(url, ELSEWHERE), { caFile: otherCa }), UNPROVEN);
      } finally {
        delete process.env["PGSSLMODE"];
      }
    });

    test("on this machine, or if the settings say so, nothing is encrypted, and the doctor tells of the latter", async () => {
      assert.equal((await reach(url, {})).isEncrypted, false);
      const found = await reach(at(url, ELSEWHERE), { tls: "off" });
      assert.equal(found.isEncrypted, false);
      const sound = { ...found, role: "writer" as const, version: found.newest };
      const findings = judgeTeam({ schema: "stele_none", server: ELSEWHERE, isHere: false, reports: 0, found: sound });
      assert.ok(findings.some(({ message }) => /not encrypted/.test(message) && message.includes(ELSEWHERE)));
    });

    test("a server without encryption is refused where it is required", async () => {
      const wanted = { code: "unavailable", message: /offers no encrypted connections/, hint: /team\.tls/ };
      await assert.rejects(reach(at(plainServer.url, ELSEWHERE), { caFile }), wanted);
      await assert.rejects(reach(plainServer.url, { tls: "verify", caFile }), wanted);
    });
  });
else
  test("no Postgres was tested: none is packaged for this system", () => {
    assert.ok(server === null || plainServer === null);
  });

/** Eight bytes that ask for encryption; nothing else may be sent in the clear. */
const SSL_REQUEST = "0000000804d2162f";

interface Pretender {
  url: string;
  /** What it could read, each connection after the other. */
  heard: string[];
}

/** Something in the server's place that answers like this and then, if it has an identity, begins TLS. */
async function pretender(answer: string, identity?: Identity): Promise<Pretender & AsyncDisposable> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const listening = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", (request) => {
      heard.push(request.toString("hex"));
      socket.write(answer);
      if (!identity) return void socket.on("data", (more) => heard.push(more.toString("hex")));
      const secureContext = tls.createSecureContext({ key: identity.key, cert: identity.certificate });
      const secure = new tls.TLSSocket(socket, { isServer: true, secureContext });
      secure.on("error", () => undefined);
      secure.on("data", (more) => {
        heard.push(more.toString("latin1"));
        secure.destroy();
      });
    });
  }).listen(0, "127.0.0.1");
  await once(listening, "listening");
  return {
    url: `postgres://me@${ELSEWHERE}:${(listening.address() as AddressInfo).port}/stele`,
    heard,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      listening.close();
      await once(listening, "close");
    },
  };
}

describe("somebody in the server's place", () => {
  test("learns nothing: neither the user nor the password is sent before the certificate is checked", async () => {
    for (const identity of [makeAuthority("Somebody else").certify(ELSEWHERE), authority.certify("another.test")]) {
      await using other = await pretender("S", identity);
      await assert.rejects(reach(other.url, { caFile, passwordFile }), UNPROVEN);
      assert.deepEqual(other.heard, [SSL_REQUEST]);
    }
  });

  test("hears more once its certificate is right, so the test above can fail", async () => {
    await using right = await pretender("S", certified);
    await assert.rejects(reach(right.url, { caFile, passwordFile }), { code: "unavailable" });
    assert.match(right.heard[1] ?? "", /user\0me\0database\0stele/);
    assert.ok(!right.heard.join().includes(PASSWORD), "and the password only when it is asked for");
  });

  test("cannot talk anybody out of encryption", async () => {
    for (const [answer, message] of [
      ["N", /offers no encrypted connections/],
      ["E\0\0\0\x05x", /did not begin an encrypted connection/],
      ["SR\0\0\0\x08\0\0\0\x03", /did not begin an encrypted connection/],
    ] as const) {
      await using other = await pretender(answer);
      await assert.rejects(reach(other.url, { caFile, passwordFile }), { code: "unavailable", message });
      assert.deepEqual(other.heard, [SSL_REQUEST]);
    }
  });
});
