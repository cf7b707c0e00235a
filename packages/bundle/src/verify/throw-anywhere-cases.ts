import { closeSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { VectorEntry, VectorIndex } from "../vectors/index.ts";
import { type FaultPoint, plantFaultPoints } from "./fault-points-cases.ts";

/**
 * A program of its own: loads the verifier with a fault point before everything it does, and judges bundles with an
 * error thrown at one point after the other. Prints what came out as JSON (security class 49).
 */
const points: FaultPoint[] = [];
/** The verifier, and what tells it whose a key is. */
const judging = /\/(?:bundle\/src\/verify\/[a-z0-9-]+|keys\/src\/key-id)\.ts$/;
registerHooks({
  load(url, context, next) {
    const isOurs = url.startsWith("file:") && judging.test(url) && !url.endsWith("-cases.ts");
    if (!isOurs) return next(url, context);
    const file = fileURLToPath(url);
    const source = plantFaultPoints(basename(file), readFileSync(file, "utf8"), points);
    return { format: "module", shortCircuit: true, source };
  },
});

/** Which points were passed, in order, and the one at which to throw; -1 throws nowhere. */
let passed: number[] = [];
let throwAt = -1;
let isArmed = false;
/** Points that are passed while the verifier is loaded, before it can be asked anything. */
const whileLoading = new Set<number>();
Object.assign(globalThis, {
  __point: (id: number) => {
    if (isArmed) passed.push(id);
    else whileLoading.add(id);
    if (isArmed && passed.length - 1 === throwAt) throw new Error("planted");
  },
});

const { judgeBundle, parseTrustPolicy } = await import("./index.ts");
const { plantVector } = await import("../vectors/index.ts");
const loading = whileLoading.size;

type Outcome = { readonly kind: "accepted" | "refused" | "threw"; readonly code: string };

const vectors = join(import.meta.dirname, "../../vectors");
const { vectors: entries } = JSON.parse(readFileSync(join(vectors, "index.json"), "utf8")) as VectorIndex;
const scratch = await mkdtemp(join(tmpdir(), "gatehouse-throw-"));
const tried = new Set<number>();
const outcomes = { accepted: [] as string[], refused: 0, threw: new Set<number>() };
let runs = 0;

try {
  const inPeace: Outcome[] = [];
  const good = entries.filter((entry) => entry.accepted);
  // At every single step of a few good bundles, and once at every point of the others.
  for (const [index, entry] of good.entries()) {
    inPeace.push(await throwEverywhere(await place(entry), index < 3 ? everyStep : firstOfEach));
  }
  // Once at every point of one bad bundle for each reason; of the others, at points that no bundle came to before.
  const seen = new Set<string>();
  for (const entry of entries.filter(({ accepted, code }) => !accepted && code !== "bundle.unreadable")) {
    const isFirst = !seen.has(String(entry.code)) && seen.add(String(entry.code)) !== undefined;
    const isNew = (steps: readonly number[]) => firstOfEach(steps).filter((step) => !tried.has(steps[step] ?? -1));
    inPeace.push(await throwEverywhere(await place(entry), isFirst ? firstOfEach : isNew));
  }
  const policies = throwInPolicy();
  process.stdout.write(
    JSON.stringify({
      points: points.length,
      loading,
      tried: tried.size,
      untried: points
        .filter((_, id) => !tried.has(id) && !whileLoading.has(id))
        .map(({ file, line }) => `${file}:${line}`),
      runs,
      good: good.length,
      acceptedInPeace: inPeace.filter((outcome) => outcome.kind === "accepted").length,
      judgedInPeace: inPeace.length,
      accepted: outcomes.accepted,
      refused: outcomes.refused,
      threwIn: [...new Set([...outcomes.threw].map((id) => `${points[id]?.file}: ${points[id]?.text}`))],
      policies,
    }),
  );
} finally {
  await rm(scratch, { recursive: true, force: true });
}

type Input = Parameters<typeof judgeBundle>[0];

async function place(entry: VectorEntry): Promise<Input> {
  const directory = join(scratch, entry.name);
  await mkdir(scratch, { recursive: true });
  await plantVector(vectors, entry, directory);
  const policy = parseTrustPolicy(readFileSync(join(vectors, entry.trust)));
  const enabledRunners = new Set(entry.enabledRunners) as NonNullable<Input["enabledRunners"]>;
  return { directory, name: entry.entry, policy, now: Date.parse(entry.now), enabledRunners };
}

/** Judges once in peace, then once for each chosen step with an error there. Returns the verdict in peace. */
async function throwEverywhere(input: Input, choose: (steps: readonly number[]) => number[]): Promise<Outcome> {
  const inPeace = await judgeThrowing(input, -1);
  const steps = [...passed];
  for (const step of choose(steps)) {
    const outcome = await judgeThrowing(input, step);
    const id = steps[step] ?? -1;
    tried.add(id);
    if (outcome.kind === "accepted") outcomes.accepted.push(`${points[id]?.file}:${points[id]?.line}`);
    if (outcome.kind === "refused") outcomes.refused += 1;
    if (outcome.kind === "threw") outcomes.threw.add(id);
  }
  closeLeft();
  return inPeace;
}

/** An error right before a file is closed leaves it open. Nothing of that is in question here. */
function closeLeft(): void {
  for (const name of readdirSync("/proc/self/fd")) {
    const path = readlinkOf(name);
    if (path.startsWith(scratch)) closeSync(Number(name));
  }
}

function readlinkOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return "";
  }
}

function everyStep(steps: readonly number[]): number[] {
  return [...steps.keys()];
}

function firstOfEach(steps: readonly number[]): number[] {
  return [...new Set(steps)].map((id) => steps.indexOf(id));
}

async function judgeThrowing(input: Input, step: number): Promise<Outcome> {
  runs += 1;
  passed = [];
  throwAt = step;
  isArmed = true;
  try {
    const verdict = await judgeBundle(input);
    return verdict.accepted ? { kind: "accepted", code: "" } : { kind: "refused", code: verdict.refusal.code };
  } catch {
    return { kind: "threw", code: "" };
  } finally {
    isArmed = false;
  }
}

/** A policy that could not be read to its end is no policy: every error comes out. */
function throwInPolicy(): { steps: number; swallowed: number } {
  const bytes = readFileSync(join(vectors, "trust/usual.json"));
  const attempt = (step: number): boolean => {
    passed = [];
    throwAt = step;
    isArmed = true;
    try {
      parseTrustPolicy(bytes);
      return true;
    } catch {
      return false;
    } finally {
      isArmed = false;
    }
  };
  if (!attempt(-1)) throw new Error("the policy in peace is not accepted");
  const steps = [...passed];
  for (const id of steps) tried.add(id);
  const chosen = firstOfEach(steps);
  return { steps: chosen.length, swallowed: chosen.filter((step) => attempt(step)).length };
}
