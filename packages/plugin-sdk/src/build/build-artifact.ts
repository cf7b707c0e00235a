import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What a bundler made of a plugin's entry: one piece of JavaScript, and the modules it still imports. */
export interface Bundled {
  readonly code: string;
  readonly imports: readonly string[];
}

export interface BuildOptions {
  /** The file that calls `runPlugin`. */
  readonly entry: string;
  /** The fields of the manifest that a person writes, for `gatehouse plugin pack`. */
  readonly description: string;
  /** The directory that gets `artifact` and `plugin.json`. */
  readonly out: string;
}

export interface BuiltArtifact {
  readonly artifact: string;
  readonly description: string;
  readonly sha256: string;
  readonly size: number;
}

/**
 * Makes the one file that is the plugin. The same sources give the same bytes: nothing of the machine, the time or the path goes
 * into it, so that anybody can build what was signed and compare.
 */
export async function buildArtifact(
  bundle: (entry: string) => Promise<Bundled>,
  { entry, description, out }: BuildOptions,
): Promise<BuiltArtifact> {
  const { code, imports } = await bundle(entry);
  const missing = imports.filter((name) => !name.startsWith("node:"));
  if (missing.length > 0) throw new Error(`an artifact is one file; it cannot import ${missing.join(", ")}`);
  const bytes = Buffer.from(`${heading}${code.replaceAll("\r\n", "\n").trimEnd()}\n`);
  const built = { artifact: join(out, "artifact"), description: join(out, "plugin.json") };
  await mkdir(out, { recursive: true });
  // Removed first: what is there may be a link to something else.
  for (const file of Object.values(built)) await rm(file, { force: true });
  await writeFile(built.artifact, bytes, { flag: "wx" });
  await chmod(built.artifact, 0o755);
  await writeFile(built.description, await readFile(description), { flag: "wx" });
  return { ...built, sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.byteLength };
}

/** The system's Node runs it. It is strict code, whichever way Node decides to read a file without an extension. */
const heading = '#!/usr/bin/env node\n"use strict";\n';
