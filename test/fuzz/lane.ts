/**
 * A lane: calls to one host, one after the other, each judged before the next.
 *
 * After so many calls the home is checked and left behind, lest stores grow without end.
 */
import { rmSync } from "node:fs";
import fc from "fast-check";
import type { Deadline } from "../deadline.ts";
import { catalog } from "../whole-catalog.ts";
import { type Call, type Host, type Outcome, styles } from "./host.ts";
import { inputsFor } from "./inputs.ts";
import { describeCall, judge } from "./judge.ts";
import { type Known, createKnown } from "./known.ts";
import type { Place } from "./place.ts";
import { storesOf } from "./home-key.ts";
import { assertSound } from "./sound.ts";
import { spoil } from "./spoil.ts";
import type { Tally } from "./tally.ts";
import { storesIn, watch } from "./watch.ts";

export interface Lane {
  host: string;
  name: string;
  calls: number;
  callsPerHome: number;
  seed: number;
  open(home: string, work: string): Host | Promise<Host>;
}

/** What all lanes share. */
export interface Run {
  place: Place;
  tally: Tally;
  deadline: Deadline;
  unexpected: string[];
  /** What each lane is doing, for faults that nobody awaits. */
  current: Map<string, string>;
}

const ENOUGH_UNEXPECTED = 25;

export async function runLane(lane: Lane, run: Run): Promise<void> {
  const known = createKnown(run.place.folder, run.place.files);
  const drawn = callsWith(known);
  for (let first = 0; first < lane.calls && !hasEnough(run); first += lane.callsPerHome) {
    const home = run.place.newHome(`${lane.name}-${first}`);
    known.clear();
    try {
      const host = await lane.open(home, run.place.work);
      try {
        await runHome(host, first, { lane, drawn, known }, run);
      } finally {
        await host.close();
      }
      for (const path of storesIn(home)) await assertSound(path, storesOf(home).key);
    } catch (fault) {
      run.unexpected.push(`${lane.name}, home of call ${first}: ${told(fault)}`);
    }
    rmSync(home, { recursive: true, force: true });
  }
}

interface Drawing {
  lane: Lane;
  drawn: fc.Arbitrary<Call>;
  known: Known;
}

async function runHome(host: Host, first: number, { lane, drawn, known }: Drawing, run: Run): Promise<void> {
  const last = Math.min(lane.calls, first + lane.callsPerHome);
  const seen = watch(host.home);
  try {
    for (let number = first; number < last && !hasEnough(run); number += 1) {
      const call = drawCall(drawn, mixed(lane.seed, number), host);
      const description = `${lane.name} call ${number}: ${describeCall(call)}`;
      run.current.set(lane.name, description);
      run.deadline.begin(lane.name, description);
      const before = seen.state();
      const outcome = await host.call(call).catch(thrown);
      const complaints = judge(call, outcome, seen.state() === before);
      run.deadline.end(lane.name);
      if (!call.style.dryRun) learn(known, call, outcome, mixed(lane.seed, number));
      run.tally.count(lane.host, call.op.name, outcome.failure?.code ?? "ok");
      if (complaints.length > 0) run.unexpected.push([description, ...complaints].join("\n    "));
    }
  } finally {
    run.current.delete(lane.name);
    seen.close();
  }
}

/** Of every file that is told there is soon a spoilt copy, to be read by whoever reads such files. */
function learn(known: Known, { op }: Call, { answer }: Outcome, seed: number): void {
  for (const path of known.learn(op.name, answer)) {
    if (path.endsWith(".db")) continue;
    known.learn(op.name, spoil(path, seed));
  }
}

const hasEnough = ({ unexpected }: Run): boolean => unexpected.length >= ENOUGH_UNEXPECTED;

export const told = (fault: unknown): string =>
  fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);

function thrown(fault: unknown): Outcome {
  return { answer: null, failure: null, complaints: [`the host threw ${told(fault)}`] };
}

/** Verbs of care less often: they work on what the others make, and cost more. */
function callsWith(known: Known): fc.Arbitrary<Call> {
  return fc.oneof(
    ...catalog.map((op) => ({
      weight: op.group === "care" ? 1 : 8,
      arbitrary: fc.record({ op: fc.constant(op), input: inputsFor(op, known), style: styles }),
    })),
  );
}

function drawCall(drawn: fc.Arbitrary<Call>, seed: number, { hasDryRun }: Host): Call {
  const [call] = fc.sample(drawn, { seed, numRuns: 1 }) as [Call];
  return { ...call, style: { ...call.style, dryRun: hasDryRun && call.style.dryRun } };
}

/** Seeds that follow each other would begin with equal draws; these have nothing in common. */
export function mixed(seed: number, number: number): number {
  let value = Math.imul(seed ^ (number * 0x9e3779b1), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
