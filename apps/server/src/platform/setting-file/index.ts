/**
 * Setting file: reads a file that a setting names, whole and within a bound.
 * Never writes, never waits for a pipe, and never knows what the file means.
 */
export { readSettingFile } from "./read-setting-file.ts";
