import { readSettings as readSuiteSettings, type Settings as SuiteSettings } from "../support/suite-settings.ts";

/** `only` are names of places. */
export type Settings = SuiteSettings<"sandbox">;

/** `[--short] [--seed N] [--only host,container]` */
export function readSettings(args: readonly string[]): Settings {
  return readSuiteSettings("sandbox", args);
}
