/** Syslog's levels, the gravest first; the number is the place. */
export const logLevels = ["emergency", "alert", "critical", "error", "warning", "notice", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Every number at which the logs of hosts are cut off, on their way and where they are kept. */
export const hostLogLimits = {
  /** Units and files that root of one host may name. */
  sources: 16,
  /** Of a unit's name or a path. */
  sourceChars: 600,
  /** A longer line is cut, and ends with an ellipsis. */
  lineChars: 4_096,
  /** Lines of one message, which is one write of the server. */
  sentLines: 200,
  /** For which one note of what was left out may stand: more than a host can leave out, and so few that sums of them stay exact. */
  droppedLines: 1_000_000_000,
  /** Where reading goes on; it is kept with the lines, and means nothing to the server. */
  checkpointChars: 8_192,
  /** The longest that a server can ask a host to wait. */
  pauseMs: 600_000,
  linesPerSecond: { least: 1, most: 1_000, unsaid: 200 },
  /** A log that has been further behind than was read for so long is passed over: what is left out is counted. */
  behindSeconds: { least: 5, most: 300, unsaid: 300 },
  /** Words of one search, and how much of one answer. */
  words: 16,
  answerLines: 500,
  unsaidLines: 100,
  bars: 400,
} as const;

/** How root of a host names a log, and so every name that comes from an honest one: a file, or a service of its journal. */
export const logSourceForms = {
  path: /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._@+-]{1,128}){1,32}$/,
  unit: /^[A-Za-z0-9][A-Za-z0-9:_.@-]{0,119}\.service$/,
} as const;

export function isLogSource(text: string): boolean {
  return text.length <= hostLogLimits.sourceChars && Object.values(logSourceForms).some((form) => form.test(text));
}
