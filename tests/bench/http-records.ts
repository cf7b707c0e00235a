const made = Array.from({ length: 20 }, (_, n) => ({
  position: 4_000 + n,
  at: "2026-11-15T02:06:51.123Z",
  actor: "usr_01jcq3v8w7e5f6g7h8j9kamnpq",
  action: "plugin.installed",
  subject: `plugin/example-${n}`,
  outcome: "done",
  requestId: "req_01jcq3v8w7e5f6g7h8j9kamnpq",
  address: "192.0.2.17",
  detail: { version: "1.4.2", artifactSha256: "ab".repeat(32) },
}));

/**
 * Twenty audit records, as a list of the API shows them. Parsed, as those from a file are: a text that was just joined
 * is kept in parts, and V8 writes JSON a third slower in a process that happened to keep them so.
 */
export const records = JSON.parse(JSON.stringify(made)) as typeof made;
