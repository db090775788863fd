/** A disk that is full: nothing that was acknowledged is lost, and every verb says what is wrong. Needs to mount one. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runChild } from "../child.ts";
import { smallDisk } from "./own-mount.ts";

async function onDisk(megabytes: number, script: string, args: (disk: string, folder: string) => string[]) {
  const folder = mkdtempSync(join(tmpdir(), "stele-full-"));
  try {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    const wrapper = smallDisk(disk, megabytes);
    return await runChild(new URL(script, import.meta.url), args(disk, folder), { wrapper });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a store on a full disk fails clearly and loses nothing that was acknowledged", async () => {
  const { code, output, errors } = await onDisk(3, "../store/fixtures/fill-disk.ts", (disk) => [join(disk, "a.db")]);
  assert.deepEqual([code, errors], [0, ""]);
  const { acknowledged, readable, kept, integrity, failure } = JSON.parse(output) as Record<string, unknown>;
  assert.deepEqual([readable, kept, integrity], [acknowledged, acknowledged, "ok"]);
  assert.match(JSON.stringify(failure), /unavailable.*full/);
});

test("every verb on a full disk answers or says what is wrong, and goes on when there is room", async () => {
  const { code, output, errors } = await onDisk(14, "fixtures/fill-and-go-on.ts", (disk, folder) => [disk, folder]);
  assert.equal(code, 0, output + errors);
});

interface DoctorSays {
  ok: boolean;
  findings: { check: string; state: string; message: string; next: string | null }[];
}

/** What the doctor says of the disk and the data folder, on a disk of three megabytes after a command. */
async function doctorAfter(command: string): Promise<DoctorSays> {
  const folder = mkdtempSync(join(tmpdir(), "stele-full-"));
  try {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    const prepared = ["sh", "-c", `mkdir -m 700 "$0/home"; ${command}; exec "$@"`, disk];
    const { output } = await runChild(new URL("../../bin/stele.js", import.meta.url), ["doctor", "--json"], {
      wrapper: [...smallDisk(disk, 3), ...prepared],
      cwd: folder,
      env: { ...process.env, STELE_HOME: join(disk, "home"), STELE_EMBEDDER: "none" },
    });
    return JSON.parse(output) as DoctorSays;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("the doctor names a disk that is full, nearly full or read-only", async () => {
  const said = ({ ok, findings }: DoctorSays) => [
    ok,
    ...findings
      .filter(({ check, state }) => ["home", "disk"].includes(check) && state !== "ok")
      .map(({ state, message }) => `${state}: ${message}`),
  ];
  const full = await doctorAfter('head -c 9000000 /dev/zero >"$0/filler" 2>"$0/none"');
  assert.deepEqual(said(full), [
    false,
    "problem: The disk of the data folder is full: 0.0 MB are free, so nothing can be stored.",
  ]);
  const nearly = await doctorAfter("true");
  assert.match(
    said(nearly).join("\n"),
    /^true\nnote: The disk of the data folder is nearly full: [1-3]\.\d MB are free/,
  );
  const closed = await doctorAfter('mount -o remount,ro "$0"');
  assert.match(
    said(closed).join("\n"),
    /^true\nnote: It is on a read-only file system, so stored data can only be read\./,
  );
});
