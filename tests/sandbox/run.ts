import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { needImage } from "../lab/image.ts";
import { needPackages } from "../lab/lab.ts";
import { compileProbe } from "./compile-probe.ts";
import { checkFigures, type PlaceResult, printFigures, printTable, readResult } from "./findings.ts";
import type { PlaceReport } from "./place-report.ts";
import { type Place, places } from "./places.ts";
import { escapeProbes, nodeProbes } from "./probe-list.ts";
import { readSettings } from "./settings.ts";

/**
 * `npm run sandbox [-- --short] [-- --seed N] [-- --only host,container]`: plugins that try to get out, and plugins that
 * misbehave, on this host and in the real container. A level that cannot be tested is a failure with its reason.
 */
const settings = readSettings(process.argv.slice(2));
const unknown = settings.only.filter((name) => !places.some((place) => place.name === name));
if (unknown.length > 0) throw new Error(`--only takes ${places.map(({ name }) => name).join(", ")}`);
const chosen = places.filter(({ name }) => settings.only.length === 0 || settings.only.includes(name));
const probes = [...Object.values(escapeProbes).flat(), ...nodeProbes];
console.log(
  `sandbox: seed ${settings.seed}${settings.short ? ", short" : ""}, ${probes.length} ways out in ${chosen.length} places`,
);

const started = performance.now();
const work = mkdtempSync(join(tmpdir(), "gatehouse-sandbox-"));
chmodSync(work, 0o755);
let stopEngine = async (): Promise<void> => undefined;
const results: PlaceResult[] = [];
try {
  await needPackages("gcc", "libc6-dev", "bubblewrap", "util-linux");
  const compiled = await compileProbe(work);
  const hostile = chosen.filter(({ share }) => share > 0);
  const shares = hostile.reduce((sum, { share }) => sum + share, 0);
  for (const place of chosen) {
    if (place.needsImage && !results.some(({ place: { needsImage } }) => needsImage)) stopEngine = await engine();
    const portion = place.share === 0 ? 0 : place.share / shares;
    results.push(
      await readPlace(place, {
        ...compiled,
        seed: settings.seed,
        runs: Math.round(settings.counts.runs * portion),
        seconds: Infinity,
        deaths: place.share === 0 ? 3 : settings.counts.deaths,
        storms: place.share === 0 ? 0 : settings.counts.storms,
      }),
    );
  }
} finally {
  await stopEngine();
  rmSync(work, { recursive: true, force: true });
}

printTable(results, probes);
for (const result of results) printFigures(result);
const checks = results.flatMap((result) => checkFigures(result, probes));
for (const { name, why } of checks)
  console.log(`${why === undefined ? "ok    " : "FAILED"} ${name}${why === undefined ? "" : `: ${why}`}`);
const failed = checks.filter(({ why }) => why !== undefined).length;
const escaped = results.reduce(
  (sum, { found }) => sum + [...found.values()].filter((probe) => probe.escaped).length,
  0,
);
const tried = results.reduce((sum, { found }) => sum + found.size, 0);
const figures = results.flatMap(({ figures }) => (figures === undefined || figures.runs === 0 ? [] : [figures]));
const seconds = Math.round((performance.now() - started) / 1_000);
console.log(
  `sandbox: ${tried} attempts, ${escaped} escapes; ${hostileWords()} (seed ${settings.seed}) in ${seconds} s`,
);
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 && results.length === chosen.length ? 0 : 1;

function hostileWords(): string {
  if (figures.length === 0) return "no hostile runs";
  const sum = (of: (one: (typeof figures)[number]) => number) => figures.reduce((total, one) => total + of(one), 0);
  const worst = (of: (one: (typeof figures)[number]) => number) => Math.round(Math.max(...figures.map(of)));
  return (
    `${sum(({ runs }) => runs)} hostile runs, ${sum(({ survivors }) => survivors)} survivors, ` +
    `${sum(({ leakedDescriptors, leakedFiles }) => leakedDescriptors + leakedFiles)} leaks, all gone ${worst(({ lateP99 }) => lateP99)} ms ` +
    `after the deadline at p99 where a bare process takes ${worst(({ bareP99 }) => bareP99)} ms`
  );
}

async function engine(): Promise<() => Promise<void>> {
  console.log("sandbox: building the image");
  return needImage();
}

async function readPlace(place: Place, order: Parameters<Place["start"]>[1]): Promise<PlaceResult> {
  console.log(`sandbox: ${place.what}`);
  const child = place.start(work, order);
  const reports: PlaceReport[] = [];
  let complaints = "";
  child.stderr?.on("data", (part: Buffer) => {
    complaints = `${complaints}${part.toString()}`.slice(-4_000);
  });
  // Far longer than a run takes; a place that hangs is a failure, not a wait.
  const minutes = settings.short ? 10 : 120;
  const late = setTimeout(() => child.kill("SIGKILL"), minutes * 60_000);
  const closed = once(child, "close");
  if (child.stdout !== null)
    for await (const line of createInterface({ input: child.stdout })) reports.push(JSON.parse(line) as PlaceReport);
  const [code] = (await closed) as [number | null];
  clearTimeout(late);
  return readResult(place, reports, code === 0 ? undefined : `it ended with ${code}: ${complaints.slice(-1_500)}`);
}
