/** The flags of `stele serve`. Whoever listens beyond this machine must encrypt, or say that they do not. */
import { isIP } from "node:net";
import { commandFlags } from "../cli/commands.ts";
import { Failure } from "../errors.ts";

export const DEFAULT_PORT = 7835;

export interface ServeFlags {
  host: string;
  port: number;
  /** Further names under which clients reach it. */
  names: readonly string[];
  /** The only folders that clients may name, with those below; any when empty. */
  projects: readonly string[];
  tls: { cert: string; key: string } | undefined;
  tokenFile: string | undefined;
  tools: "default" | "full";
  structured: boolean;
  status: boolean;
  stop: boolean;
  /** Print what a request must carry. */
  headers: boolean;
  home: string | undefined;
  json: boolean;
}

const HINT = "See `stele serve --help`.";
const invalid = (message: string, hint = HINT): Failure => new Failure("invalid_input", message, hint);

export function serveFlags(argv: readonly string[]): ServeFlags {
  const values = parsed(argv);
  const { host, tools, structured, status, stop, headers, home, json } = values;
  if (tools !== "default" && tools !== "full") throw invalid("--tools must be one of default, full.");
  const [cert, key] = [values["tls-cert"], values["tls-key"]];
  if ((cert === undefined) !== (key === undefined)) throw invalid("--tls-cert and --tls-key go together.");
  const tls = cert !== undefined && key !== undefined ? { cert, key } : undefined;
  if (tls === undefined && !isLoopback(host) && !values.unencrypted) {
    throw new Failure(
      "refused",
      `At ${host}, others on the network could read the token and every answer.`,
      "Give --tls-cert and --tls-key, or add --unencrypted if something else protects the connection.",
    );
  }
  const wrong = values.name.find((name) => !URL.canParse(/^https?:\/\//.test(name) ? name : `http://${name}`));
  if (wrong !== undefined) throw invalid(`--name ${wrong} is no name.`, "For example stele.example:8443.");
  return {
    host,
    tls,
    tools,
    structured,
    status,
    stop,
    headers,
    home,
    json,
    port: portOf(values.port),
    names: values.name,
    projects: values.project,
    tokenFile: values["token-file"],
  };
}

const parsed = (argv: readonly string[]) =>
  commandFlags("serve", argv, {
    options: {
      host: { type: "string", default: "127.0.0.1" },
      port: { type: "string", default: String(DEFAULT_PORT) },
      name: { type: "string", multiple: true, default: [] },
      project: { type: "string", multiple: true, default: [] },
      "tls-cert": { type: "string" },
      "tls-key": { type: "string" },
      unencrypted: { type: "boolean", default: false },
      "token-file": { type: "string" },
      tools: { type: "string", default: "default" },
      structured: { type: "boolean", default: false },
      status: { type: "boolean", default: false },
      stop: { type: "boolean", default: false },
      headers: { type: "boolean", default: false },
      home: { type: "string" },
      json: { type: "boolean", default: false },
    },
  }).values;

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port >= 0 && port <= 65_535) return port;
  throw invalid("--port must be a number from 0 to 65535.", "0 takes any port that is free.");
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
