/** Every number at which the lifecycle says no or lets go. */
export const lifecycleLimits = {
  /** Closed records that a plugin's record keeps; the audit log keeps all of them. */
  history: 50,
  /** Characters of a reason, in a record, an audit entry or an answer. */
  reasonChars: 1_000,
  /** Rejections that one audit entry names, and characters of each. */
  toldRejections: 20,
  toldDetailChars: 300,
} as const;
