import { readSettings as readSuiteSettings, type Settings as SuiteSettings } from "../support/suite-settings.ts";

export interface Settings extends Omit<SuiteSettings<"security">, "only"> {
  /** Numbers of classes; all when empty. */
  readonly only: readonly number[];
}

/** `[--short] [--seed N] [--only 8,51]` */
export function readSettings(args: readonly string[]): Settings {
  const settings = readSuiteSettings("security", args);
  return { ...settings, only: settings.only.map(Number) };
}
