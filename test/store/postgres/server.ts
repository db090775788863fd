/**
 * The Postgres server of the tests: the one that `STELE_TEST_POSTGRES` names, or one that is started from the packaged
 * binaries and ends with the tests of this process.
 */
import { after } from "node:test";
import { type PackagedServer, packagedServer } from "./packaged-server.ts";

export interface Server extends Omit<PackagedServer, "end"> {
  /** Does something before the server ends, or, if it is not ours, before the tests do. */
  atEnd(work: () => Promise<void>): void;
}

let running: Promise<Server | null> | undefined;

/** Null where there is neither a server that is named nor one that can be started. */
export const postgresServer = (): Promise<Server | null> => (running ??= namedServer() ?? ownServer());

function namedServer(): Promise<Server> | null {
  const url = process.env["STELE_TEST_POSTGRES"];
  if (!url) return null;
  const refuse = () => Promise.reject(new Error("Tests end only servers that they have started."));
  return Promise.resolve({ url, atEnd: (work) => after(work), kill: refuse, start: refuse });
}

async function ownServer(): Promise<Server | null> {
  const server = await packagedServer();
  if (server === null) return null;
  const last: (() => Promise<void>)[] = [];
  after(async () => {
    for (const work of last) await work();
    await server.end();
  });
  return { ...server, atEnd: (work) => void last.push(work) };
}
