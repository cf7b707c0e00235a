import type { Bundled } from "@gatehouse/plugin-sdk/build";
import { rolldown } from "rolldown";
import { root } from "../repository.ts";

/** One piece of JavaScript from an entry and all it imports. Readable, because what is signed should be reviewable. */
export async function bundlePlugin(entry: string): Promise<Bundled> {
  const bundle = await rolldown({
    input: entry,
    // Sources are named by their paths from here, wherever the repository lies and the command was given.
    cwd: root,
    platform: "node",
    // Nothing of ours does anything when it is merely imported, so what is not used is left out.
    treeshake: { moduleSideEffects: false },
  });
  try {
    const { output } = await bundle.generate({ format: "esm", minify: false, codeSplitting: false });
    const [chunk, ...others] = output;
    if (others.length > 0) throw new Error(`${entry} became ${output.length} files instead of one`);
    return { code: chunk.code, imports: chunk.imports };
  } finally {
    await bundle.close();
  }
}
