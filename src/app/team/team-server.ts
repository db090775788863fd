/**
 * The team's server, as the person's settings name it, with the password.
 *
 * A password comes from the environment or from a file that nobody else can read, and goes nowhere but to the server.
 */
import { readFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Config } from "../config.ts";
import { teamPassword, userFile } from "../environment.ts";
import { Failure } from "../../errors.ts";
import { type TeamServer, isOnThisMachine } from "../../model/care/team.ts";
import { readSecret } from "../../providers/files/private-file.ts";

/** The settings that say how to reach it. */
type ServerSettings = Config["team"];

export function teamServer({ team }: { team: ServerSettings }, home?: string): TeamServer {
  const { url, name = null, tls = url !== undefined && isOnThisMachine(url) ? "off" : "verify" } = team;
  if (url === undefined) {
    throw new Failure(
      "unavailable",
      "No server is named for the team.",
      `Name it in ${userFile(home)}, such as {"team": {"url": "postgres://me@db.example/stele"}}.`,
    );
  }
  return { url, name, password: passwordOf(team), tls: tls === "off" ? null : { ca: authorityOf(team) } };
}

function passwordOf({ passwordFile }: ServerSettings): string | undefined {
  const given = teamPassword();
  if (given !== undefined || passwordFile === undefined) return given;
  const text = reading(passwordFile, "team.passwordFile", readSecret);
  if (text !== null) return text.replace(/\r?\n$/, "");
  throw new Failure(
    "unavailable",
    `${passwordFile} is not used as the password: others can read it, or it is no small file.`,
    `Make it your own: \`chmod 600 ${passwordFile}\`.`,
  );
}

function authorityOf({ caFile }: ServerSettings): string | null {
  if (caFile === undefined) return null;
  const text = reading(caFile, "team.caFile", (path) => readFileSync(path, "utf8"));
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  const hint = "team.caFile in your settings names it; it must be a certificate in PEM.";
  throw new Failure("unavailable", `${caFile} holds no certificate.`, hint);
}

function reading<T>(path: string, setting: string, read: (path: string) => T): T {
  if (!isAbsolute(path))
    throw new Failure("invalid_input", `${setting} must be an absolute path.`, "Correct it in your settings file.");
  try {
    return read(path);
  } catch (thrown) {
    const { code = "a fault" } = thrown as NodeJS.ErrnoException;
    throw new Failure("unavailable", `${path} cannot be read (${code}).`, `${setting} in your settings names it.`, {
      cause: thrown,
    });
  }
}
