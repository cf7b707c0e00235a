/** Numbers that both ends of the control channel hold to. The welcome carries the two that a server may choose. */
export const channelLimits = {
  /** From the upgrade to the welcome. */
  helloMs: 10_000,
  /** One message of the hello. */
  helloBytes: 16 * 1024,
  /** One message after it, whatever its type; each type has a smaller one of its own. */
  frameBytes: 64 * 1024,
  /** So many beats or acknowledgements that are missing in a row close the connection, on either side. */
  missedBeats: 3,
  framesPerSecond: 200,
  /** `out` frames that are under way at once. */
  unacknowledged: 64,
  beatSeconds: { least: 1, most: 60, unsaid: 10 },
  /** How long agents take to come back after a restart of the server, each at a moment of its own. */
  windowSeconds: { least: 1, most: 600, unsaid: 20 },
  /** The longest pause between two attempts. */
  retrySeconds: 60,
  /** A `bye` can ask for a pause of so long, and no longer. */
  pauseSeconds: 3_600,
  /** An agent offers another channel key when its own is so old. */
  channelKeyDays: 30,
  /** Facts with all that stands beside the signed message. */
  factsBytes: 32 * 1024,
  /** Parts of a host that one question may ask about. */
  stateSubjects: 64,
  /** The signed answer to it, whole. It travels in pieces, so that none is larger than a frame may be. */
  stateBytes: 2 * 1024 * 1024,
  statePieceBytes: 32 * 1024,
  /** Questions about the state of a host, for each host. */
  statesPerMinute: 6,
  /** Rows of heads of the audit log that one answer carries. */
  headRows: 1_000,
  /** Times that a host asks for them in a minute; the server answers no more. */
  headPagesPerMinute: 4,
  /** Bytes of a part of a task that one answer carries. */
  pullBytes: 256 * 1024,
  /** How long a host brings the parts of a task, were they all small. */
  carriedMs: 120_000,
  /** What comes more slowly on the whole is not waited for: the largest artifact has four and a half hours. */
  carriedBytesPerSecond: 32 * 1024,
  /** All parts of a task that a host holds before it has judged them. */
  taskBytes: 17 * 1024 * 1024,
} as const;

/** How long a host brings parts of so many bytes before it gives up. A server waits longer: the host is to say so itself. */
export function longestCarryMs(bytes: number): number {
  return channelLimits.carriedMs + Math.ceil(bytes / channelLimits.carriedBytesPerSecond) * 1_000;
}
