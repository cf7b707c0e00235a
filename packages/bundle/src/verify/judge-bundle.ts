import { openBundle } from "./open-bundle.ts";
import type { VerifyInput } from "./judgement.ts";
import { refuseUnopened, type Verdict, verifyBundle } from "./verify-bundle.ts";

/** Opens, judges and closes the bundle `name` of a directory. Never throws; a bundle that cannot be opened is refused. */
export async function judgeBundle(
  input: Omit<VerifyInput, "bundle"> & { readonly directory: string; readonly name: string },
): Promise<Verdict> {
  const { directory, name, ...rest } = input;
  try {
    const bundle = await openBundle(directory, name);
    try {
      return await verifyBundle({ ...rest, bundle });
    } finally {
      await bundle.close();
    }
  } catch (error) {
    return refuseUnopened(error);
  }
}
