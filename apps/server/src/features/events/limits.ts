/** Every number at which a stream is refused, slowed or cut. */
export const eventLimits = {
  streams: 2_000,
  streamsPerUser: 8,
  /** Nothing more is written while this much waits for the reader. */
  queuedBytes: 256 * 1024,
  /** Changes read at once. */
  pageItems: 200,
  /** Who is further behind than this is told to read everything again, instead of every change. */
  replayItems: 10_000,
  /** How long a user's streams rest after each full page they read. They rest one after the other. */
  pageRestMs: 25,
  /** A reader that hears nothing for two beats and a little takes the connection for lost; the dashboard does. */
  beatMs: 15_000,
  /** Beats after which a reader that takes nothing is cut; it resumes where it was. */
  stalledBeats: 2,
} as const;
