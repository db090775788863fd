/**
 * The settings of a team: where the shared memory is, and who one is there.
 *
 * They come from the person's own file, as those of remote providers do: a project or a variable must not be able to send
 * a memory to somebody's server. A password is never among them.
 */
import * as z from "zod";
import { serverFault } from "../../model/care/team.ts";

const Server = z
  .string()
  .max(2_000)
  .superRefine((address, issues) => {
    const fault = serverFault(address);
    if (fault) issues.addIssue({ code: "custom", message: `the address ${fault}` });
  });

const Path = z.string().min(1).max(4_096);

export const TeamSettings = z.strictObject({
  url: Server.optional().describe(
    "The team's Postgres, such as `postgres://me@db.example/stele`, without a password. Projects are shared only after `stele team push` or `join`.",
  ),
  name: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[^\p{C}]+$/u, "expected a name without control characters")
    .optional()
    .describe("Your name in the journal, beside your role in the database."),
  tls: z
    .enum(["verify", "off"])
    .optional()
    .describe(
      "verify: encrypted, and the server must prove its name; off: others on the way can read everything. When omitted: verify, except on this machine.",
    ),
  caFile: Path.optional().describe(
    "Certificate of the authority that signed the server's, as an absolute path; the well-known authorities when omitted.",
  ),
  passwordFile: Path.optional().describe(
    "File with the password, as an absolute path, that nobody else can read; `STELE_TEAM_PASSWORD` goes before it.",
  ),
});
