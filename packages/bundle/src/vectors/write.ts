import { join } from "node:path";
import { writeVectors } from "./make-vectors.ts";

/** `node packages/bundle/src/vectors/write.ts`: writes the published vectors. A test fails while one of them is old. */
const written = await writeVectors(join(import.meta.dirname, "../../vectors"));
process.stdout.write(`wrote ${written} files\n`);
