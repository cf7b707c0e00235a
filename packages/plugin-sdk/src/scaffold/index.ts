/**
 * Scaffold: makes the first files of a new plugin, for `gatehouse plugin new`.
 * Never writes over anything, and never runs what it made.
 */
export { scaffold, type ScaffoldOptions } from "./scaffold.ts";
