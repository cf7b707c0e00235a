/** Every number at which the fleet refuses or forgets something. */
export const fleetLimits = {
  /** Enrolment codes that can be used. */
  openEnrolments: 1_000,
  /** How long an enrolment is shown after it ended. */
  endedEnrolmentMs: 24 * 60 * 60 * 1_000,
  /** Ended enrolments that one commit clears away. */
  clearedAtOnce: 200,
  /** Messages of facts that a connection may send in a minute: each may become a commit. */
  factsPerMinute: 6,
  /** Times that a connection may say in a minute what its host holds of the audit log: each may become a commit. */
  witnessWordsPerMinute: 12,
  /** How long a host may take to say what a part of it is like. */
  stateAnswerMs: 20_000,
  /**
   * How long a host may be silent about a task before it has answered: from the offer, and from each part that it pulls. For all of the
   * task it has so long beside the time in which hosts bring the parts; whoever pulls again and again gets no more.
   */
  taskAnswerMs: 5 * 60 * 1_000,
  /** Pulls of one connection that are not answered yet. */
  openPulls: 4,
  /** How soon it is looked again whether a host has taken what was sent. */
  pullPauseMs: 50,
  /** Tasks of one connection that a late word may be about. */
  pastTasks: 64,
  /** Times in an hour that what differs on one host is written down anew, over all of its connections: each is a commit. */
  driftChangesPerHour: 20,
  /** Parts of a host that an entry of the log about its drift names. */
  namedParts: 8,
  /** How often silence is looked for. */
  sweepMs: 1_000,
  /** Messages of a host's outbox that are kept without a pause, over all of its connections; each is a commit. */
  eventBurst: 64,
  /** After that, one in so long. An honest host has a few a day. */
  eventPauseMs: 1_000,
  /** A host's clock that is further off than this when it signs a key change is not believed. */
  keyChangeAheadMs: 5 * 60 * 1_000,
  /** Two connections that took each other's place within this time are two machines with one identity. */
  rivalMs: 5 * 60 * 1_000,
} as const;
