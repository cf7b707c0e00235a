import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Compiles the shim into `scratch` and returns the path to preload. */
export async function compileShim(scratch: string): Promise<string> {
  const source = fileURLToPath(new URL("./io-fault-shim.c", import.meta.url));
  const library = join(scratch, "io-fault-shim.so");
  await promisify(execFile)("cc", [
    "-shared",
    "-fPIC",
    "-O2",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-o",
    library,
    source,
    "-ldl",
  ]);
  return library;
}
