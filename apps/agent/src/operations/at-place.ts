import { fault, type FaultCode, isFault } from "@gatehouse/contract/faults";
import { operations } from "@gatehouse/plan";
import { type FilePlace, openFilePlace } from "./file-place.ts";
import type { PathGround } from "./judge-paths.ts";

/** What fails there has the code of its step, unless it says better what is wrong with the path. */
export async function atPlace<Value>(
  ground: PathGround,
  target: string,
  failed: FaultCode,
  work: (place: FilePlace) => Promise<Value>,
): Promise<Value> {
  // It went through the schema when the change was judged; whoever brings it back from a file is not taken at their word.
  const path = operations["file.write"].schema.shape.path.safeParse(target);
  if (!path.success) throw fault(failed, "expected an absolute path, found something else");
  try {
    await using place = await openFilePlace(ground, path.data);
    return await work(place);
  } catch (cause) {
    if (isFault(cause, failed)) throw cause;
    const why = isFault(cause)
      ? `${cause.code}: ${cause.detail}`
      : ((cause as NodeJS.ErrnoException).code ?? String(cause));
    throw fault(failed, `${path.data}: ${why}`, { cause });
  }
}
