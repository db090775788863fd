/**
 * Takes out of both stores, and of everything beside them, what today's rules call a secret.
 *
 * A person agrees to exactly what was found. Then the stores are swept and compacted, the backups cleaned, and reports
 * and files with a secret removed. That the rules have been applied is noted last, so that an interrupted run is offered
 * again.
 */
import { Failure } from "../../errors.ts";
import { cleanDeep } from "../../logic/redaction/clean-fields.ts";
import { RULES_FINGERPRINT } from "../../logic/redaction/rules-fingerprint.ts";
import type { Consent } from "../../model/decisions/question.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Stores, World } from "../../ports/world.ts";
import { digest } from "../capture/digest.ts";
import { tracesAfter } from "../care/compact.ts";
import { holdLease } from "../care/lease.ts";
import { eraseSurfaceIf } from "../context/write-surface.ts";
import { fingerprint } from "../decisions/consent.ts";
import { redactor } from "./redact.ts";
import { type SecretFinding, sweepStore } from "./redact-store.ts";

export interface StoredSecrets {
  /** In the order in which the stores keep them. */
  findings: SecretFinding[];
  /** Copies in backups that were not gone over by today's rules. What they hold is not known yet. */
  copies: number;
  /** A fingerprint of all this; null if there is nothing to do. */
  about: string | null;
}

export interface RedactedStored extends Pick<StoredSecrets, "findings"> {
  /** What stays as it is until somebody redacts whose role in the shared project allows it. */
  left: SecretFinding[];
  /** Backup copies in which something was found. */
  backups: number;
  /** Files that may still hold a secret. */
  traces: string[];
}

const LEASE = "redact";
const PATIENCE_MS = 5_000;
const REPORTS_MOST = 100_000;

type LookWorld = Stores & Pick<World, "tokenizer" | "log" | "origin" | "progress" | "backups">;

/** What both stores hold, and whether there are backups to go over. Only reads. */
export async function storedSecrets(world: LookWorld): Promise<StoredSecrets> {
  const findings: SecretFinding[] = [];
  for (const store of [world.project, world.global])
    await sweepStore({ store, write: false, found: (finding) => findings.push(finding) }, world);
  const copies = await world.backups.countUnredacted(RULES_FINGERPRINT);
  return { findings, copies, about: findings.length + copies > 0 ? fingerprint([findings, copies]) : null };
}

/** Null if another process is doing it. */
export async function redactStored(consent: Consent | null, world: World): Promise<RedactedStored | null> {
  // Access is recorded after an answer, and what hooks reported is redacted as it is taken in.
  await world.afterwards.settle();
  await digest(world, { patienceMs: PATIENCE_MS });
  return holdLease(LEASE, { patienceMs: PATIENCE_MS }, { ...world, store: world.project }, async (lease) => {
    const { findings, about } = await storedSecrets(world);
    needAgreement(about, consent);
    const total = findings.length;
    let done = 0;
    const found = () => world.progress.report((done += 1), Math.max(done, total), "Redacting");
    const stores = [world.project, world.global];
    const kept = new Set<string>();
    const left = (place: string, id: string) => void kept.add(`${place} ${id}`);
    for (const store of stores)
      await sweepStore({ store, write: true, found, left, pulse: () => lease.renew() }, world);
    // Otherwise they are redacted when they are taken in.
    const reports = consent === null ? [] : await dropReports(world);
    const unclean = await world.project.goFirst(() => world.global.goFirst(() => tracesAfter(stores)));
    const surfaces = await eraseSurfaceIf(holdsSecret, world);
    const backups = await cleanBackups(world);
    // What is left in a file, or to somebody else, is erased by the next run, so that is offered.
    const noting: Change[] = unclean.length > 0 ? [] : [{ kind: "note_redaction", rules: RULES_FINGERPRINT }];
    for (const store of kept.size > 0 ? [world.global] : stores) await store.apply(noting, world.origin);
    const traces = [...unclean, ...surfaces, ...backups.traces];
    const isLeft = ({ shelf, id }: SecretFinding) => kept.has(`${shelf} ${id}`);
    const taken = [...findings.filter((one) => !isLeft(one)), ...reports];
    return { findings: taken, left: findings.filter(isLeft), backups: backups.copies, traces };
  });
}

function needAgreement(about: string | null, consent: Consent | null): void {
  if (about === null || consent?.about === about) return;
  throw new Failure(
    "conflict",
    "What would be redacted changed in the meantime; nothing was changed.",
    "Run `stele redact --dry-run` to see it, then try again.",
  );
}

function holdsSecret(text: string): boolean {
  const { clean, redactions } = redactor();
  clean(text);
  return redactions().length > 0;
}

/** Reports that could not be taken in, for example while recording is paused. */
async function dropReports({ spool }: Pick<World, "spool">): Promise<SecretFinding[]> {
  const findings: SecretFinding[] = [];
  for (const name of await spool.list(REPORTS_MOST)) {
    const report = await spool.read(name);
    const { clean, redactions } = redactor();
    cleanDeep(report, clean);
    if (redactions().length === 0) continue;
    findings.push(...redactions().map(({ rule, count }) => ({ shelf: "report" as const, id: name, rule, count })));
    await spool.remove(name);
  }
  return findings;
}

async function cleanBackups(world: World): Promise<{ copies: number; traces: string[] }> {
  let copies = 0;
  const traces = await world.backups
    .rewrite(async (store) => {
      const isFound = await sweepStore({ store, write: true, found: () => undefined }, world);
      const isNoted = (await store.redactedBy()) === RULES_FINGERPRINT;
      await store.apply([{ kind: "note_redaction", rules: RULES_FINGERPRINT }], world.origin);
      if (isFound) copies += 1;
      return isFound || !isNoted;
    })
    .catch(() => [world.backups.pathOf("")]);
  return { copies, traces };
}
