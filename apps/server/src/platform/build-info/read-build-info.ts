import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildStamp, buildStamp, stampFileName } from "./stamp-format.ts";

export interface BuildInfo extends BuildStamp {
  /** From the root package.json, the one place that holds it. */
  readonly version: string;
  /** Of Node, without the `v`. */
  readonly node: string;
  /** Additions only within one of these (product: versions). */
  readonly api: string;
}

const root = join(import.meta.dirname, "../../../../..");
const unstamped: BuildStamp = { commit: "unknown", builtAt: "unknown", channel: "dev" };

export function readBuildInfo(directory = root): BuildInfo {
  const { version } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as { version: string };
  const stamp = readStamp(join(directory, "dist", stampFileName));
  return { version, ...stamp, node: process.versions.node, api: version.split(".").slice(0, 2).join(".") };
}

/** A stamp that is missing or not ours changes nothing about what runs, so it is reported as unknown, not refused. */
function readStamp(file: string): BuildStamp {
  try {
    return buildStamp.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return unstamped;
  }
}
