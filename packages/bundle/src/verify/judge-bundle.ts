import type { VerifyInput } from "./judgement.ts";
import { openBundle } from "./open-bundle.ts";
import { refuseUnopened, unjudged, type Verdict, verifyBundle } from "./verify-bundle.ts";

export type JudgeInput = Omit<VerifyInput, "bundle"> & { readonly directory: string; readonly name: string };

/** Opens, judges and closes the bundle `name` of a directory. Never throws; a bundle that cannot be opened is refused. */
export const judgeBundle = (input: JudgeInput): Promise<Verdict> =>
  openAndVerify(input)
    .catch(refuseUnopened)
    .catch(() => unjudged);

async function openAndVerify({ directory, name, ...rest }: JudgeInput): Promise<Verdict> {
  const bundle = await openBundle(directory, name);
  try {
    return await verifyBundle({ ...rest, bundle });
  } finally {
    await bundle.close();
  }
}
