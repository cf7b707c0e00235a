import { randomBytes } from "node:crypto";
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sh } from "../lab/lab.ts";

export interface CompiledProbe {
  readonly probe: string;
  readonly mark: string;
  readonly nap: string;
}

/** One static program, so that the same bytes run on the host and in the container. Its name and naps are this run's own. */
export async function compileProbe(directory: string): Promise<CompiledProbe> {
  const mark = `gh-${randomBytes(4).toString("hex")}`;
  const nap = String(100_000 + randomBytes(3).readUIntBE(0, 3));
  const probe = join(directory, "probe");
  const sources = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".c"));
  const silent = ["-Wno-unused-result", "-Wno-infinite-recursion"];
  const words = [`-DMARK="${mark}"`, `-DNAP="${nap}"`, ...sources.map((name) => join(import.meta.dirname, name))];
  await sh("cc", ["-static", "-O1", "-Wall", "-Wextra", "-Werror", ...silent, "-o", probe, ...words]);
  chmodSync(probe, 0o755);
  return { probe, mark, nap };
}
