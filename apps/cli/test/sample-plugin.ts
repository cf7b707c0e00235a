import type { Plugin } from "@gatehouse/contract/routes";

export const at = "2026-11-15T08:30:00.000Z";
export const digest = "5".repeat(64);

/** Accepted, and not running. */
export const hello: Plugin = {
  id: "acme-hello",
  name: "Hello",
  publisher: "acme",
  version: "1.1.0",
  status: "installed",
  capabilities: [
    { name: "host:firewall", risk: "host" },
    { name: "kv:read", risk: "own" },
  ],
  egressHosts: [],
  artifactSha256: digest,
  artifactSize: 120,
  payloadSha256: "6".repeat(64),
  signers: ["7".repeat(32)],
  expiresAt: null,
  available: true,
  runtime: {
    state: "absent",
    runner: "system",
    sandbox: null,
    message: "is not active",
    breaker: null,
    failuresInARow: 0,
    actions: 0,
    capabilityUse: [],
    lastErrors: [],
  },
  contributions: [
    {
      kind: "nav",
      component: "acme.page",
      title: "Hello",
      path: "/apps/acme-hello",
      icon: null,
      scope: null,
      surface: null,
      visible: false,
      reason: "unknown",
    },
  ],
  change: {
    from: { version: "1.0.0", artifactSha256: "4".repeat(64) },
    to: { version: "1.1.0", artifactSha256: digest },
    addedCapabilities: ["host:firewall"],
    removedCapabilities: [],
    downgrade: false,
  },
  history: [],
  moves: ["active", "disabled"],
  verifiedAt: at,
  installedAt: at,
  activatedAt: null,
  disabledAt: null,
  createdAt: at,
  updatedAt: at,
};

export const hostSandbox = {
  level: "landlock",
  isTried: true,
  least: "landlock",
  message: "namespaces: the kernel refuses them; landlock: works",
} as const;
