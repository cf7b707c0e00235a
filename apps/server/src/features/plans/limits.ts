/** Every number at which plans are refused, closed or forgotten. */
export const plansLimits = {
  /** Plans that have not ended. */
  open: 1_000,
  /** Artifacts of one plan: the commit that keeps it has the records of all of them. */
  artifactsOfPlan: 64,
  /** Hosts that are asked at the same time what they are like. */
  hostsAtOnce: 32,
  /** Hosts that a refusal names. */
  namedHosts: 20,
  /** Why one host of them is refused, where there is more than one reason. */
  namedReasons: 3,
  /** Plans, and bytes of them, that are looked through for what was on hosts before a plan that is undone. */
  undoPlans: 200,
  undoBytes: 64 * 1024 * 1024,
  /** How long a plan that ended stays. */
  endedMs: 90 * 24 * 60 * 60 * 1_000,
  /** How often ends and expiries are looked for. */
  sweepMs: 60_000,
  /** Plans that one commit clears away. */
  clearedAtOnce: 100,
  /** Blobs that no plan names are kept so long: one may be on its way into a record. */
  strayBlobMs: 60 * 60 * 1_000,
  /** Signatures under one statement: as many as a host takes at once. */
  approvalsOfId: 16,
  /** Signatures and words to the server, whatever became of their time. */
  approvalsOfPlan: 64,
  /** Hosts of which what they said is read before others have their turn. */
  hostsRead: 50,
  /** Plans that are kept in memory as they were read. */
  heldDocuments: 4,
  /** Blobs of approvals that are kept in memory. */
  heldApprovals: 64,
  /** Hosts that fetch and judge a task at the same time. */
  tasksAtOnce: 32,
  /** Beside them, those whose tasks bring artifacts. */
  artifactTasksAtOnce: 8,
  /** Task records that one commit makes or clears away. */
  tasksOfCommit: 500,
  /** Digests of plans under way whose plans are kept in memory. */
  heldDigests: 16,
  /** Parts of a host that an entry of the log names. */
  namedParts: 8,
  /** After the rollback window of a task that its host took, so long until the host is asked what became of it. */
  outcomeMs: 120_000,
  /** A host that has been away so long keeps the next wave from nothing; it gets its task when it comes. */
  awayMs: 90_000,
  /** How long a host that is busy with another change is left alone. */
  busyMs: 30_000,
  /** After an approval and its rollback window have ended, so long until nobody waits for a host's word any more. */
  lateWordMs: 15 * 60_000,
  /** How often a host is offered a task that it did not answer. */
  offers: 3,
  /** How soon a stop of all plans is noticed at the latest, and an approval that begins or ends. */
  lookMs: 5_000,
  /** How often it is looked for nodes that were revoked or removed. */
  nodesMs: 60_000,
} as const;
