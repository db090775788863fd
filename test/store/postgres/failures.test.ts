/** What a failure says about a commit that was sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { leavesOpen } from "../../../src/store/postgres/failures.ts";

const failing = (message: string, more: object = {}) => Object.assign(new Error(message), more);

const cases: [thrown: unknown, isOpen: boolean, why: string][] = [
  [failing("refused", { code: "23514", severity: "ERROR" }), false, "the server has refused it"],
  [failing("gone", { code: "42P01", severity: "ERROR" }), false, "the server found no table"],
  [failing("stopping", { code: "57P01", severity: "FATAL" }), true, "the server stops, whatever it has done"],
  [failing("read", { code: "ECONNRESET" }), true, "the connection was reset"],
  [failing("Connection terminated unexpectedly"), true, "the connection ended"],
  [failing("bad record mac", { code: "EPROTO" }), true, "encryption failed on the way back"],
  [failing("read", { code: "ENETDOWN" }), true, "the network of this machine is down"],
];
for (const [thrown, isOpen, why] of cases)
  test(`${isOpen ? "it may be committed" : "it is not committed"}: ${why}`, () => {
    assert.equal(leavesOpen(thrown), isOpen);
  });
