import { resolve } from "node:path";
import { readSettings as readSuiteSettings, type Settings as SuiteSettings } from "../support/suite-settings.ts";

export interface Settings extends Omit<SuiteSettings<"security">, "only"> {
  /** Numbers of classes; all when empty. */
  readonly only: readonly number[];
  /** Another checkout, whose programs are attacked instead of ours: how a new test is seen to fail on an old release. */
  readonly tree: string | undefined;
}

/** `[--short] [--seed N] [--only 8,51] [--tree DIRECTORY]` */
export function readSettings(args: readonly string[]): Settings {
  const at = args.indexOf("--tree");
  const tree = at === -1 ? undefined : args[at + 1];
  if (at !== -1 && tree === undefined) throw new Error("--tree takes the directory of a checkout that was built");
  const settings = readSuiteSettings("security", at === -1 ? args : args.toSpliced(at, 2));
  return { ...settings, only: settings.only.map(Number), tree: tree === undefined ? undefined : resolve(tree) };
}
