import { join } from "node:path";
import { planLimits } from "@gatehouse/plan";
import { agentPaths } from "../config.ts";
import { atPlace } from "./at-place.ts";
import { replaceBy } from "./file-place.ts";
import type { KeptGround, KeptKind } from "./host-operation.ts";
import { measureFile, pourWanted, readerOf, withPlainFile, writerOf } from "./poured-file.ts";
import { programRights } from "./replaced-program.ts";

const { binary, rescue } = agentPaths("/");

/** From a confirmed update on, what the boot starts and what takes changes back is that version too. There is nothing to load. */
export const keptRescue: KeptKind<"agent.update"> = {
  keep: async (ground, operation) => {
    // Another program than the one that was confirmed is not what anybody has seen working.
    if (!(await isAt(ground, binary, operation)) || (await isAt(ground, rescue, operation))) return;
    const place = { root: ground.paths.root, owner: ground.owner };
    await atPlace(place, rescue, "apply.failed", (at) =>
      replaceBy(at, programRights(ground), async (next) => {
        await withPlainFile(join(place.root, binary), (file) => pourWanted(readerOf(file), operation, writerOf(next)));
      }),
    );
  },
  load: async () => ({ loaded: [], failed: [], ignored: [] }),
};

async function isAt({ paths }: KeptGround, path: string, { sha256 }: { readonly sha256: string }): Promise<boolean> {
  return (await measureFile(join(paths.root, path), planLimits.artifactBytes))?.sha256 === sha256;
}
