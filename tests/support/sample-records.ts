import type { PluginRecord, SessionRecord, TokenRecord, UserRecord } from "@gatehouse/contract/records";

/** Whole records for tests that look at a field or two. */
export function sampleUser(more: Partial<UserRecord> = {}): UserRecord {
  const times = { createdAt: 1, updatedAt: 1, passwordChangedAt: 1 };
  return { id: "usr_1", username: "ada", role: "viewer", passwordHash: "hash", disabled: false, ...times, ...more };
}

export function sampleSession(more: Partial<SessionRecord> = {}): SessionRecord {
  const times = { createdAt: 1, authenticatedAt: 1, expiresAt: 2 };
  return { id: "ses_1", userId: "usr_1", address: "192.0.2.1", userAgent: "", ...times, ...more };
}

export function sampleToken(more: Partial<TokenRecord> = {}): TokenRecord {
  return {
    id: "tok1",
    name: "a token",
    userId: "usr_1",
    class: "automation",
    scopes: ["plan:read"],
    hash: "0".repeat(64),
    createdAt: 1,
    expiresAt: 2,
    ...more,
  };
}

export function samplePlugin(more: Partial<PluginRecord> = {}): PluginRecord {
  return {
    id: "netguard",
    name: "Netguard",
    publisher: "acme",
    version: "1.0.0",
    status: "verified",
    runner: "system",
    capabilities: [],
    egressHosts: [],
    artifactSha256: "0".repeat(64),
    artifactSize: 1,
    payloadSha256: "1".repeat(64),
    signers: [],
    expiresAt: null,
    contributions: { nav: [], enhancements: [] },
    change: null,
    history: [],
    lastAccepted: null,
    highestAccepted: null,
    verifiedAt: 1,
    installedAt: null,
    activatedAt: null,
    disabledAt: null,
    failure: null,
    closedAt: null,
    createdAt: 1,
    updatedAt: 1,
    ...more,
  };
}
