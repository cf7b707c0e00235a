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
import { evilArtifact, evilManifest, name, signed } from "./swap-play.ts";

export interface SwapperData {
  readonly seed: number;
  readonly plugins: string;
  /** On the same file system, outside the plugin directory. */
  readonly stash: string;
  /** Set to 1 to end it; the second word counts the swaps. */
  readonly shared: SharedArrayBuffer;
}

/** The attacker's thread: it owns the plugin directory and changes what lies there as fast as it can. */
const { seed, plugins, stash, shared } = workerData as SwapperData;
const words = new Int32Array(shared);
const random = new Random(seed, 7);
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
  () => renameSync(join(stash, "pipe"), join(place, "artifact")),
  () => {
    rmSync(join(place, "artifact"), { recursive: true, force: true });
    mkdirSync(join(place, "artifact"));
  },
  () => rmSync(join(place, "manifest.json"), { recursive: true, force: true }),
  () => rmSync(place, { recursive: true, force: true }),
];

parentPort?.postMessage("began");
while (Atomics.load(words, 0) === 0) {
  try {
    rmSync(join(stash, "pipe"), { force: true });
    if (random.chance(0.02)) execFileSync("mkfifo", [join(stash, "pipe")]);
    if (random.chance(0.5)) restore();
    else random.pick(swaps)();
    Atomics.add(words, 1, 1);
    Atomics.notify(words, 1);
  } catch {
    // What is there now is no longer what this swap needs; the next one brings something else.
  }
  // Sometimes nothing happens for as long as a verdict takes, so that both outcomes occur.
  if (random.chance(0.5)) Atomics.wait(words, 2, 0, random.below(12));
  if (fresh % 64 === 0) rmSync(stash, { recursive: true, force: true });
  mkdirSync(stash, { recursive: true });
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
