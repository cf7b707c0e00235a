/** Every number at which the edge says no. They are named in the refusal; none is silently replaced. */
export const edgeLimits = {
  headerBytes: 16 * 1024,
  bodyBytes: 1024 * 1024,
  queryParameters: 64,
  /** The whole head of a request must be there by then, and from there the whole body by the second. */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /** Bodies that are streams are large: none of their pieces comes later than this after the one before, and all of it by the second. */
  streamPauseMs: 30_000,
  streamMs: 10 * 60_000,
  /**
   * Connections that the kernel holds until they are accepted; it has at most `net.core.somaxconn`, 4,096 unless set. What does not fit
   * is dropped without a word and asked for again after 1, 3, 7 and 15 seconds: a fleet that comes back would wait for that.
   */
  waitingConnections: 4_096,
  /** One address that is no proxy's has at most this part of the connections. */
  connectionsShare: 1 / 4,
  /**
   * So many connections are kept for people, whatever number of agents there is; where there are few in all, agents have at
   * most half of them.
   */
  connectionsForPeople: 1_000,
  /**
   * Agents that have opened a socket and not proved yet who they are: so many at once, and each for so long. Most of that time is
   * the way to the agent and back: of ten thousand that return over twenty seconds, 125 are under way where it takes a quarter
   * of a second. With fewer places they would be refused while the server has nothing to do.
   */
  hellosInFlight: 256,
  helloMs: 10_000,
  /**
   * Sockets of agents that one address opens without a single good hello among them. A good one gives its address all of it
   * back: a fleet that stands behind one address never meets the limit, a stranger who only knocks does. Twice as many as there
   * are places, so that those who found none do not use up what their neighbours need.
   */
  helloRate: { perSecond: 30, burst: 512 },
  /** A socket that is closed from here waits so long for the other side's word. */
  socketCloseMs: 2_000,
  /** What waits for the reader of one socket; one who lets more gather is cut. */
  socketQueueBytes: 4 * 1024 * 1024,
  /** Longer than the minute a reverse proxy keeps its idle connections, so that the proxy closes first. Others are closed earlier. */
  keepAliveTimeoutMs: 75_000,
  /** A reader that takes nothing of what waits for it for this long is cut. */
  idleTimeoutMs: 60_000,
  /** How often such readers are looked for, and connections of others than proxies that say nothing from one look to the next. */
  readerCheckMs: 15_000,
  /** How often slow connections are looked for. */
  connectionCheckMs: 1_000,
  /** How often a stopping server looks for connections that are done. */
  stopSweepMs: 50,
  /** Callers that are remembered by one rate limit; the longest idle are forgotten first. */
  rateKeys: 100_000,
  /**
   * Bytes of bodies that are read for one caller. Reading JSON strictly takes up to 60 ms of the server's time for a
   * MiB; so nobody takes more than about a thirtieth of it for long.
   */
  parsedBytes: { perSecond: 512 * 1024, burst: 4 * 1024 * 1024 },
  /** Hops of a forwarded chain that are looked at. */
  forwardedHops: 32,
  /** How old a sign-in may be for what needs a fresh one (product: step-up). */
  stepUpMs: 5 * 60_000,
  /** By how much a sign-in may seem to lie in the future. */
  clockSlackMs: 5_000,
} as const;
