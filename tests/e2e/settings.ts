import { readSettings as readSuiteSettings, type Settings as SuiteSettings } from "../support/suite-settings.ts";

export interface Settings extends Omit<SuiteSettings<"e2e">, "only"> {
  /** A part of a check's name; everything when absent. */
  readonly only: string | undefined;
}

/** `[--short] [--seed N] [--only words]` */
export function readSettings(args: readonly string[]): Settings {
  const { only, ...settings } = readSuiteSettings("e2e", args);
  return { ...settings, only: only.length === 0 ? undefined : only.join(",") };
}
