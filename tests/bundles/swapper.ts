import { execFileSync } from "node:child_process";
import {
  closeSync,
  fstatSync,
  futimesSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { Random } from "../support/random.ts";
import { evilArtifact, evilManifest, name, signed, swapsPerRound, swapsPerVerdict } from "./swap-play.ts";

export interface SwapperData {
  readonly seed: number;
  readonly plugins: string;
  /** On the same file system, outside the plugin directory. */
  readonly stash: string;
  /** Counts the swaps that were tried in this round, and the verdicts that were begun in it. */
  readonly shared: SharedArrayBuffer;
}

/** What is wanted: a round of swaps, or a directory that stays as it is. */
export type SwapOrder = { readonly round: number } | { readonly leave: "signed" | "unsigned" };

/** Swaps that may be done before the verdict that they are for has begun. */
const ahead = 6;

/** The attacker's thread: it owns the plugin directory and changes what lies there as fast as it can. */
const { seed, plugins, stash, shared } = workerData as SwapperData;
const words = new Int32Array(shared);
let random = new Random(seed);
const place = join(plugins, name);
let fresh = 0;

const good = () => random.pick(signed);
const newPath = () => join(stash, `${(fresh += 1)}`);

/** A signed directory takes the place. Every second swap is one: otherwise nothing could be accepted. */
function restore(): void {
  const { manifestBytes, artifact } = good();
  replaceDirectory(manifestBytes, artifact);
}

const swaps: readonly (() => void)[] = [
  () => replaceDirectory(good().manifestBytes, good().artifact),
  () => replaceDirectory(signed[0]?.manifestBytes ?? evilManifest, evilArtifact),
  () => replaceDirectory(evilManifest, good().artifact),
  () => replaceFile("artifact", evilArtifact),
  () => replaceFile("artifact", good().artifact),
  () => replaceFile("manifest.json", evilManifest),
  () => replaceFile("manifest.json", good().manifestBytes),
  () => replaceFile("manifest.json", Buffer.alloc(0)),
  // The same two files again, but behind links.
  () => {
    const target = newDirectory(good().manifestBytes, good().artifact);
    const link = newPath();
    symlinkSync(target, link);
    takePlace(link);
  },
  () => linkInPlace("artifact", evilArtifact),
  () => linkInPlace("manifest.json", good().manifestBytes),
  () => linkSync(join(place, "artifact"), newPath()),
  () => writeInPlace("artifact", evilArtifact.subarray(0, 4_096)),
  () => writeInPlace("manifest.json", Buffer.from("{")),
  () => ftruncate(join(place, "artifact")),
  () => {
    const pipe = newPath();
    execFileSync("mkfifo", [pipe]);
    renameSync(pipe, join(place, "artifact"));
  },
  () => {
    rmSync(join(place, "artifact"), { recursive: true, force: true });
    mkdirSync(join(place, "artifact"));
  },
  () => rmSync(join(place, "manifest.json"), { recursive: true, force: true }),
  () => rmSync(place, { recursive: true, force: true }),
];

parentPort?.on("message", (order: SwapOrder) => {
  // What an earlier round left behind is in nobody's way, but it fills the disk.
  rmSync(stash, { recursive: true, force: true });
  mkdirSync(stash);
  if ("round" in order) swapRound(order.round);
  else leave(order.leave);
  parentPort?.postMessage("done");
});

function swapRound(round: number): void {
  random = new Random(seed, round);
  for (let swap = 0; swap < swapsPerRound; swap += 1) {
    waitForVerdict(Math.floor((swap - ahead) / swapsPerVerdict));
    // Sometimes nothing happens for as long as a verdict takes, so that both outcomes occur.
    if (random.chance(0.5)) Atomics.wait(pause, 0, 0, random.below(12));
    try {
      if (random.chance(0.5)) restore();
      else random.pick(swaps)();
    } catch {
      // What is there now is no longer what this swap needs; the next one brings something else.
    }
    Atomics.add(words, 0, 1);
    Atomics.notify(words, 0);
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Until so many verdicts were begun: a swap that nobody looks at shows nothing. */
function waitForVerdict(number: number): void {
  for (let begun = Atomics.load(words, 1); begun < number; begun = Atomics.load(words, 1))
    Atomics.wait(words, 1, begun);
}

function leave(what: "signed" | "unsigned"): void {
  rmSync(place, { recursive: true, force: true });
  const { manifestBytes, artifact } = good();
  renameSync(newDirectory(manifestBytes, what === "signed" ? artifact : evilArtifact), place);
}

function newDirectory(manifest: Uint8Array, artifact: Uint8Array): string {
  const path = newPath();
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "manifest.json"), manifest);
  writeFileSync(join(path, "artifact"), artifact);
  return path;
}

function replaceDirectory(manifest: Uint8Array, artifact: Uint8Array): void {
  takePlace(newDirectory(manifest, artifact));
}

function takePlace(path: string): void {
  try {
    renameSync(place, newPath());
  } finally {
    renameSync(path, place);
  }
}

function replaceFile(file: string, bytes: Uint8Array): void {
  const path = newPath();
  writeFileSync(path, bytes);
  renameSync(path, join(place, file));
}

function linkInPlace(file: string, bytes: Uint8Array): void {
  const target = newPath();
  const link = newPath();
  writeFileSync(target, bytes);
  symlinkSync(target, link);
  renameSync(link, join(place, file));
}

/** Writes into the file itself and puts its times back: a reader that trusts the time of a file sees nothing. */
function writeInPlace(file: string, bytes: Uint8Array): void {
  const handle = openSync(join(place, file), "r+");
  try {
    const { atime, mtime } = fstatSync(handle);
    writeSync(handle, bytes, 0, bytes.byteLength, 0);
    futimesSync(handle, atime, mtime);
  } finally {
    closeSync(handle);
  }
}

function ftruncate(path: string): void {
  const handle = openSync(path, "r+");
  try {
    ftruncateSync(handle, random.below(2_500_000));
  } finally {
    closeSync(handle);
  }
}
