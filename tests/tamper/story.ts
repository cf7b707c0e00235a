import { createHash } from "node:crypto";
import type { AuditEntry } from "@gatehouse/contract";
import {
  credentialsKind,
  ownersKind,
  pluginKind,
  pluginKvKind,
  type RecordKey,
  sessionKind,
  tokenKind,
  userKind,
  usernameKind,
} from "@gatehouse/contract/records";
import type { Change, FileStore } from "@gatehouse/store";
import { create, put, remove } from "@gatehouse/store/decide";
import { roles } from "../../packages/contract/src/scopes.ts";
import { samplePlugin, sampleSession, sampleToken, sampleUser } from "../support/sample-records.ts";

/** Stands where a sealed text would: a real one is another one each time, and nobody opens it here. */
export const fakeSealed = `sealed1:${"0".repeat(16)}:${"A".repeat(16)}:${"B".repeat(60)}`;

interface Told {
  readonly entry: AuditEntry;
  readonly changes: readonly Change[];
}

const begun = Date.UTC(2026, 0, 1);
const people = ["ada", "grace", "edsger", "barbara", "alan", "frances", "niklaus", "margaret"];
const plugins = ["netguard", "wireguard", "backups", "mirror"];
/** How often all steps have been told before this one. */
const roundOf = (n: number): number => Math.floor(n / steps.length);

/** Steps that are told at once: none of them writes what another one reads. So the log has groups of one, two and three entries. */
const batchEnds = [1, 2, 5, 7, 9];

/** Tells `count` steps from number `from` on. */
export async function tell(store: FileStore, from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; ) {
    const end = batchEnds.find((each) => each > n % steps.length) ?? steps.length;
    const size = Math.min(end - (n % steps.length), from + count - n);
    const told = await Promise.all(Array.from({ length: size }, (_, offset) => stepOf(store, n + offset)));
    await Promise.all(told.map(({ entry, changes }) => store.commit(entry, changes)));
    n += size;
  }
}

type Step = (store: FileStore, n: number, facts: Facts) => Promise<Told>;

interface Facts {
  readonly at: number;
  readonly actor: string;
  readonly requestId: string;
  readonly address: string;
}

function stepOf(store: FileStore, n: number): Promise<Told> {
  const step = steps[n % steps.length] as Step;
  const person = people[n % people.length] ?? "";
  const facts = {
    at: begun + n * 61_000,
    actor: n % 4 === 0 ? "system" : idOf(person, 0),
    requestId: `req_${digest(`request ${n}`).slice(0, 12)}`,
    address: `192.0.2.${n % 250}`,
  };
  return step(store, n, facts);
}

/** One after the other, again and again with other names. No two of one batch write the same record. */
const steps: readonly Step[] = [
  async (_, n, facts) => {
    const [username, id, role] = [nameOf(n), idOf(nameOf(n), roundOf(n)), roles[(n + 1) % roles.length] ?? "viewer"];
    const user = sampleUser({ id, username, role, passwordHash: `$argon2id$${digest(username)}`, createdAt: facts.at });
    return {
      entry: { ...facts, action: "user.created", subject: `user/${id}`, detail: { userId: id, username, role } },
      changes: [
        create(userKind.key(id), user),
        create(usernameKind.key(username), { userId: id }),
        create(credentialsKind.key(id), { sessions: [], tokens: [] }),
      ],
    };
  },
  async (store, n, facts) => {
    const id = idOf(nameOf(n), roundOf(n));
    const key = sessionKind.key(digest(`cookie ${n}`));
    const found = await read(store, credentialsKind.key(id));
    const session = { id: `ses_${n}`, key: key.id, expiresAt: facts.at + 1 };
    const detail = { userId: id, username: nameOf(n), userAgent: "Firefox", ended: [] };
    return {
      entry: { ...facts, action: "auth.signed_in", subject: `user/${id}`, outcome: "done", detail },
      changes: [
        create(key, sampleSession({ id: session.id, userId: id, createdAt: facts.at })),
        put(found, { sessions: [session], tokens: found.value?.tokens ?? [] }),
      ],
    };
  },
  async (_, n, facts) => {
    const [id, token] = [idOf(nameOf(n), roundOf(n)), `tok${n}`];
    const record = sampleToken({ id: token, userId: id, name: `token ${n}`, hash: digest(token), createdAt: facts.at });
    const issued = { name: record.name, class: record.class, scopes: record.scopes, nodes: null };
    const detail = { userId: id, ended: [], ...issued, expiresAt: record.expiresAt };
    return {
      entry: { ...facts, action: "token.issued", subject: `token/${token}`, outcome: "done", detail },
      changes: [create(tokenKind.key(token), record)],
    };
  },
  async (store, n, facts) => {
    const id = plugins[roundOf(n) % plugins.length] ?? "";
    const found = await read(store, pluginKind.key(id));
    const version = `1.${roundOf(n)}.0`;
    const bytes = { version, artifactSha256: digest(`${id} ${version}`), payloadSha256: digest(`payload ${n}`) };
    const said = { ...bytes, publisher: "acme", capabilities: ["kv:read" as const, "host:firewall" as const] };
    const lastAccepted = { ...bytes, capabilities: said.capabilities };
    return {
      entry: {
        ...facts,
        action: "plugin.installed",
        subject: `plugin/${id}`,
        detail: { ...said, from: "verified", to: "installed" },
      },
      changes: [put(found, samplePlugin({ id, ...said, status: "installed", lastAccepted, highestAccepted: version }))],
    };
  },
  async (_, n, facts) => ({
    entry: {
      ...facts,
      actor: "anonymous",
      action: "auth.sign_in_refused",
      subject: `username/${nameOf(n)}`,
      outcome: "refused",
      detail: { count: 1 + (n % 5), throttled: 0, firstAt: facts.at - 30_000 },
    },
    changes: [],
  }),
  async (store, n, facts) => {
    const id = idOf(nameOf(n), roundOf(n));
    const found = await read(store, userKind.key(id));
    const from = { role: found.value?.role ?? "viewer", disabled: false };
    const to = { role: "auditor" as const, disabled: roundOf(n) % 3 === 1 };
    return {
      entry: {
        ...facts,
        action: "user.changed",
        subject: `user/${id}`,
        outcome: "done",
        detail: { userId: id, username: nameOf(n), ended: [], from, to },
      },
      changes: [put(found, { ...sampleUser({ id, username: nameOf(n) }), ...found.value, ...to, updatedAt: facts.at })],
    };
  },
  async (store, n, facts) => {
    const id = plugins[roundOf(n) % plugins.length] ?? "";
    const key = pluginKvKind.key(`${id}@rules`);
    const found = await read(store, key);
    const detail = { key: "rules", bytes: 20, payloadSha256: digest(`payload ${n}`) };
    return {
      entry: { ...facts, actor: `plugin:${id}`, action: "plugin.kv_written", subject: `plugin/${id}`, detail },
      changes: [put(found, { publisher: "acme", bytes: 20 + n, sealed: fakeSealed })],
    };
  },
  async (store, n, facts) => {
    const id = idOf(nameOf(n), roundOf(n));
    const found = await read(store, ownersKind.key("main"));
    const from = { role: "auditor" as const, disabled: false };
    const to = { role: "owner" as const, disabled: false };
    return {
      entry: {
        ...facts,
        action: "user.changed",
        subject: "owners/main",
        detail: { userId: id, username: nameOf(n), ended: [], from, to },
      },
      changes: [put(found, { ids: [...(found.value?.ids ?? []), id].slice(-3) })],
    };
  },
  async (store, n, facts) => {
    const id = idOf(nameOf(n), roundOf(n));
    const key = sessionKind.key(digest(`cookie ${n - 7}`));
    const found = await read(store, key);
    return {
      entry: {
        ...facts,
        action: "auth.signed_out",
        subject: `user/${id}`,
        detail: { userId: id, ended: [`ses_${n - 7}`] },
      },
      changes: found.version === 0 ? [] : [remove(found)],
    };
  },
];

async function read<Key extends RecordKey>(store: FileStore, key: Key) {
  const found = await store.get(key);
  type Value = Key extends RecordKey<infer V> ? V : never;
  return { key, version: found?.version ?? 0, value: found?.value as Value | undefined };
}

/** Every round is about one more person. */
function nameOf(n: number): string {
  const round = roundOf(n);
  return `${people[round % people.length] ?? ""}${Math.floor(round / people.length)}`;
}

function idOf(name: string, round: number): string {
  return `usr_${digest(`${name} ${round}`).slice(0, 10)}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
