import { readSettings as readSuiteSettings, type Settings as SuiteSettings } from "../support/suite-settings.ts";

/** `only` are names of places. */
export interface Settings extends SuiteSettings {
  /** Hostile runs over all places together. */
  readonly runs: number;
  /** Hostile runs stop after this time, and say how many there were. */
  readonly hostileSeconds: number;
}

/** `[--short] [--seed N] [--only host,container]` */
export function readSettings(args: readonly string[]): Settings {
  const settings = readSuiteSettings(args);
  const { short } = settings;
  return { ...settings, runs: short ? 1_000 : 10_000, hostileSeconds: short ? 240 : 3_600 };
}
