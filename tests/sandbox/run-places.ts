import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { needImage } from "../lab/image.ts";
import { needPackages } from "../lab/lab.ts";
import { compileProbe } from "./compile-probe.ts";
import { type PlaceResult, readResult } from "./findings.ts";
import type { PlaceOrder, PlaceReport } from "./place-report.ts";
import type { Ground, Place } from "./places.ts";
import { copyForEverybody } from "./reachable-copy.ts";

/** What one place is asked to do. */
export type PlaceWork = Pick<PlaceOrder, "seed" | "probes" | "runs" | "deaths" | "storms" | "hoards" | "compares">;

/** Compiles the probe, starts the engine when a place needs it, and runs one place after the other. */
export async function runPlaces(
  places: readonly Place[],
  limitMinutes: number,
  workOf: (place: Place) => PlaceWork,
): Promise<PlaceResult[]> {
  const work = mkdtempSync(join(tmpdir(), "gatehouse-sandbox-"));
  chmodSync(work, 0o755);
  let stopEngine = async (): Promise<void> => undefined;
  const results: PlaceResult[] = [];
  try {
    await needPackages("gcc", "libc6-dev", "bubblewrap", "util-linux");
    const compiled = await compileProbe(work);
    const ground = { work, copy: await copyForEverybody(join(work, "app")) };
    if (places.some(({ needsImage }) => needsImage)) {
      console.log("sandbox: the image");
      stopEngine = await needImage();
    }
    for (const place of places) {
      console.log(`sandbox: ${place.what}`);
      results.push(await runPlace(place, ground, { ...compiled, ...workOf(place) }, limitMinutes));
    }
  } finally {
    await stopEngine();
    rmSync(work, { recursive: true, force: true });
  }
  return results;
}

async function runPlace(
  place: Place,
  ground: Ground,
  order: Parameters<Place["start"]>[1],
  limitMinutes: number,
): Promise<PlaceResult> {
  const child = place.start(ground, order);
  const reports: PlaceReport[] = [];
  let complaints = "";
  child.stderr?.on("data", (part: Buffer) => {
    complaints = `${complaints}${part.toString()}`.slice(-4_000);
  });
  let wasStopped = false;
  const timer = setTimeout(() => {
    wasStopped = true;
    child.kill("SIGKILL");
  }, limitMinutes * 60_000);
  const closed = once(child, "close");
  if (child.stdout !== null)
    for await (const line of createInterface({ input: child.stdout })) reports.push(JSON.parse(line) as PlaceReport);
  const [code] = (await closed) as [number | null];
  clearTimeout(timer);
  const how = wasStopped ? `stopped after ${limitMinutes} minutes` : `it ended with ${code}`;
  return readResult(place, reports, code === 0 ? undefined : `${how}: ${complaints.slice(-1_500)}`);
}
