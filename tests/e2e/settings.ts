import { readSettings as readSuiteSettings, type Settings as SuiteSettings } from "../support/suite-settings.ts";

/** Short: every journey in a few of its forms instead of all of them. */
export interface Settings extends Omit<SuiteSettings, "only"> {
  /** A part of a check's name, commas and all; everything when absent. */
  readonly only: string | undefined;
}

/** `[--short] [--seed N] [--only words]` */
export function readSettings(args: readonly string[]): Settings {
  const settings = readSuiteSettings(args);
  return { ...settings, only: settings.only.length === 0 ? undefined : settings.only.join(",") };
}
