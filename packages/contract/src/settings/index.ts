/**
 * Settings: every SERVICE_ variable as one table, and how an environment is read by it.
 * Never looks at the environment of a process itself.
 */
export { type Environment, readSetting, readSettings } from "./read-settings.ts";
export type { BurstRate, ListenAddress, TrustSource } from "./setting-values.ts";
export { type Setting, type SettingName, type SettingValues, settingNames, settings } from "./settings.ts";
