/**
 * Log: the server's own lines on standard output, as text for people or JSON for machines.
 * Never lets one event become two lines, and never decides what is worth logging.
 */
export { type Log, type LogFields, type OpenLogOptions, openLog } from "./open-log.ts";
export { oneLine } from "./one-line.ts";
