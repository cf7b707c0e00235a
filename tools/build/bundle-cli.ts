import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "../repository.ts";

export interface CliBuild {
  readonly sha256: string;
  readonly size: number;
}

export const cliFileName = "gatehouse.mjs";

/**
 * The command line as one file, for approvers who must not have it from the server they judge. The same sources and lock give the
 * same bytes: no time, commit or directory is in them. Readable, because whoever signs with it may want to read it.
 */
export async function bundleCli(out: string): Promise<CliBuild> {
  const bundle = await rolldown({ input: "apps/cli/src/main.ts", cwd: root, platform: "node" });
  try {
    const { output } = await bundle.generate({ format: "esm", minify: false, codeSplitting: false });
    const [chunk, ...others] = output;
    if (others.length > 0) throw new Error(`the command line became ${output.length} files instead of one`);
    const strange = chunk.imports.filter((name) => !name.startsWith("node:"));
    if (strange.length > 0) throw new Error(`the command line still imports ${strange.join(", ")}`);
    return writeBuild(out, Buffer.from(chunk.code));
  } finally {
    await bundle.close();
  }
}

function writeBuild(out: string, bytes: Uint8Array): CliBuild {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const file = join(out, cliFileName);
  mkdirSync(out, { recursive: true });
  writeFileSync(file, bytes);
  chmodSync(file, 0o755);
  // As sha256sum reads it.
  writeFileSync(join(out, "digest"), `${sha256}  ${cliFileName}\n`);
  return { sha256, size: bytes.byteLength };
}
