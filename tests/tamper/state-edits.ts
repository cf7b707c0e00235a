import { createHmac, hash } from "node:crypto";
import type { JsonObject } from "@gatehouse/base";
import { newWitnessKey } from "@gatehouse/store";
import type { Random } from "../support/random.ts";
import type { Installation } from "./installation.ts";
import { type Edit, type FileEdits, type Loot, type Made, otherDigest, otherThan } from "./edit.ts";

interface StateRecord {
  key: string;
  version: number;
  form?: number;
  value: JsonObject;
}

interface StateText {
  start: { format: number; seq: number; headLink: string; keyCheck: string };
  records: StateRecord[];
  hmac: string;
}

function parseState(bytes: Buffer): StateText {
  const { records, hmac, ...start } = JSON.parse(bytes.toString("utf8")) as StateText["start"] & StateText;
  return { start, records, hmac };
}

function encodeCovered({ start, records }: StateText): string {
  const lines = records.map((record) => JSON.stringify(record)).join(",\n");
  return `${JSON.stringify(start).slice(0, -1)},"records":[\n${lines}\n],\n`;
}

function encodeState(state: StateText): Buffer {
  return Buffer.from(`${encodeCovered(state)}"hmac":"${state.hmac}"}\n`);
}

/** What the HMAC line says afterwards, as far as that can be made without the key. */
const hmacs: Readonly<Record<string, (state: StateText, random: Random, loot: Loot) => string>> = {
  "its HMAC kept": ({ hmac }) => hmac,
  "an HMAC under a key of one's own": (state, random) =>
    createHmac("sha256", otherDigest(random)).update(encodeCovered(state)).digest("hex"),
  "an HMAC under the key check": (state) =>
    createHmac("sha256", Buffer.from(state.start.keyCheck, "hex")).update(encodeCovered(state)).digest("hex"),
  "a plain digest for its HMAC": (state) => hash("sha256", encodeCovered(state)),
  "the HMAC of an earlier moment": (_, random, { own }) => earlier(random, own).hmac,
};

function earlier(random: Random, { before, checkpoint }: Installation): StateText {
  const others = before.filter((moment) => moment.checkpoint > 0 && moment.checkpoint < checkpoint);
  return parseState(random.pick(others).files["state.json"]);
}

/** A change of what the file says; the HMAC is drawn. */
function edit(name: string, change: (state: StateText, random: Random, loot: Loot) => string): Edit {
  return {
    name,
    make: (random, loot) => {
      const state = parseState(loot.own.files["state.json"]);
      const what = change(state, random, loot);
      const hmac = random.pick(Object.keys(hmacs));
      const said = hmacs[hmac]?.(state, random, loot) ?? "";
      return { bytes: encodeState({ ...state, hmac: said }), how: `${what}, ${hmac}` };
    },
  };
}

/** A change of one field of one record of a kind. */
function editField(kind: string, field: string, to: (random: Random, was: never, state: StateText) => unknown): Edit {
  return edit(`${field} of a ${kind}`, (state, random) => {
    const record = random.pick(state.records.filter(({ key }) => key.startsWith(`${kind}/`)));
    const was = record.value[field];
    record.value = { ...record.value, [field]: to(random, was as never, state) as string };
    return `${record.key}: ${field} from ${JSON.stringify(was)} to ${JSON.stringify(record.value[field])}`;
  });
}

function replaced(name: string, take: (random: Random, loot: Loot) => Made): Edit {
  return { name, make: take };
}

const roles = ["owner", "operator", "approver", "auditor", "viewer"];

export const stateEdits: FileEdits = {
  file: "state.json",
  edits: [
    editField("user", "role", (random, was) => otherThan<string>(random, was, roles)),
    editField("user", "disabled", (_, was) => !was),
    editField("user", "passwordHash", (random) => `$argon2id$${otherDigest(random)}`),
    editField("owners", "ids", (random, was, { records }) => {
      const users = records.filter(({ key }) => key.startsWith("user/")).map(({ value }) => value["id"] as string);
      return [...(was as string[]), otherThan(random, "", users)];
    }),
    editField("token", "scopes", () => ["user:admin", "plugin:admin"]),
    editField("token", "hash", otherDigest),
    editField("token", "expiresAt", (random, was: number) => was + 1 + random.below(1e12)),
    editField("token", "userId", (random, was, { records }) => {
      const users = records.filter(({ key }) => key.startsWith("user/")).map(({ value }) => value["id"]);
      return otherThan<unknown>(random, was, users);
    }),
    editField("session", "userId", (random) => `usr_${otherDigest(random).slice(0, 10)}`),
    editField("username", "userId", (random) => `usr_${otherDigest(random).slice(0, 10)}`),
    editField("plugin", "artifactSha256", otherDigest),
    editField("plugin", "payloadSha256", otherDigest),
    editField("plugin", "publisher", (random) => `acme${random.below(1_000)}`),
    editField("plugin", "status", (random, was) => otherThan<string>(random, was, ["active", "verified", "disabled"])),
    editField("plugin", "capabilities", () => ["kv:read", "host:firewall", "host:binary"]),
    editField("plugin", "highestAccepted", (random) => `0.${random.below(100)}.0`),
    editField("plugin-kv", "sealed", (random) => `sealed1:${"0".repeat(16)}:${"A".repeat(16)}:${otherDigest(random)}`),
    edit("the witness key is the attacker's", ({ records }) => {
      const record = records.find(({ key }) => key === "witness/main");
      if (record === undefined) throw new Error("there is no witness");
      record.value = { ...record.value, server: newWitnessKey().server };
      return record.key;
    }),
    edit("a record is removed", ({ records }, random) => {
      const [gone] = records.splice(random.below(records.length), 1);
      return String(gone?.key);
    }),
    edit("a record stands twice", ({ records }, random) => {
      const twice = random.pick(records);
      records.splice(random.below(records.length), 0, { ...twice, value: { ...twice.value } });
      return twice.key;
    }),
    edit("a record is invented", ({ records, start }, random) => {
      const user = random.pick(records.filter(({ key }) => key.startsWith("user/")));
      const id = `usr_${otherDigest(random).slice(0, 10)}`;
      records.push({ key: `user/${id}`, version: start.seq, value: { ...user.value, id, role: "owner" } });
      return id;
    }),
    edit("two records change places", ({ records }, random) => {
      const [a, b] = [random.below(records.length - 1), records.length - 1];
      [records[a], records[b]] = [records[b] as StateRecord, records[a] as StateRecord];
      return `lines ${a} and ${b}`;
    }),
    edit("two records change values", ({ records }, random) => {
      const users = records.filter(({ key }) => key.startsWith("user/"));
      const [a, b] = [users[0] as StateRecord, random.pick(users.slice(1))];
      [a.value, b.value] = [b.value, a.value];
      return `${a.key} and ${b.key}`;
    }),
    edit("a record has another version", ({ records, start }, random) => {
      const record = random.pick(records);
      const was = record.version;
      record.version = 1 + ((was + random.below(start.seq - 1)) % start.seq);
      return `${record.key}: ${was} to ${record.version}`;
    }),
    edit("a record has another key", ({ records }, random) => {
      const record = random.pick(records.filter(({ key }) => /^(user|token|session)\//.test(key)));
      const was = record.key;
      record.key = `${was.slice(0, was.indexOf("/"))}/${otherDigest(random).slice(0, 10)}`;
      return `${was} to ${record.key}`;
    }),
    edit("a record of an earlier moment", (state, random, { own }) => {
      const old = earlier(random, own).records;
      const differs = old.filter(
        ({ key, version }) => !state.records.some((r) => r.key === key && r.version === version),
      );
      const record = random.pick(differs);
      const at = state.records.findIndex(({ key }) => key === record.key);
      state.records.splice(at === -1 ? state.records.length : at, at === -1 ? 0 : 1, record);
      return `${record.key} of version ${record.version}`;
    }),
    edit("the records of an earlier moment", (state, random, { own }) => {
      state.records = earlier(random, own).records;
      return `${state.records.length} records`;
    }),
    edit("the records of another installation", (state, _, { other }) => {
      state.records = parseState(other.files["state.json"]).records;
      return `${state.records.length} records`;
    }),
    edit("the floor of the audit log", ({ records, start }, random) => {
      const position = 1 + random.below(start.seq);
      const at = records.findIndex(({ key }) => key === "audit-floor/main");
      if (at !== -1) records.splice(at, 1);
      if (at === -1 || random.chance(0.5)) {
        const value = { position, link: otherDigest(random) };
        records.push({ key: "audit-floor/main", version: start.seq, value });
      }
      return `to ${position}`;
    }),
    edit("another position", ({ start }, random) => {
      start.seq += random.chance(0.5) ? 1 + random.below(40) : -1 - random.below(40);
      return `to ${start.seq}`;
    }),
    edit("another link", ({ start }, random, { own }) => {
      start.headLink = random.chance(0.5) ? otherDigest(random) : earlier(random, own).start.headLink;
      return `to ${start.headLink.slice(0, 8)}…`;
    }),
    edit("position and link of an earlier moment", (state, random, { own }) => {
      const { seq, headLink } = earlier(random, own).start;
      Object.assign(state.start, { seq, headLink });
      return `to ${seq}`;
    }),
    edit("another format", ({ start }, random) => {
      start.format = random.pick([0, 1, 3, 9]);
      return `to ${start.format}`;
    }),
    edit("another key check", ({ start }, random, { other }) => {
      const foreign = parseState(other.files["state.json"]).start.keyCheck;
      start.keyCheck = random.chance(0.5) ? otherDigest(random) : foreign;
      return `to ${start.keyCheck.slice(0, 8)}…`;
    }),
    replaced("another HMAC", (random, { own }) => {
      const state = parseState(own.files["state.json"]);
      return { bytes: encodeState({ ...state, hmac: otherDigest(random) }), how: "nothing else changed" };
    }),
    replaced("the file of an earlier moment", (random, { own }) => {
      const moment = random.pick(own.before.filter(({ checkpoint }) => checkpoint < own.checkpoint));
      return { bytes: moment.files["state.json"], how: `of position ${moment.checkpoint}` };
    }),
    replaced("the file of another installation", (random, { other }) => {
      const moment = random.pick([...other.before, other]);
      return { bytes: moment.files["state.json"], how: `at position ${moment.position}` };
    }),
    replaced("the file is cut", (random, { own }) => {
      const bytes = own.files["state.json"];
      const ends = [...bytes.keys()].filter((at) => bytes[at] === 10);
      const end = random.chance(0.5) ? random.pick(ends.slice(0, -1)) + 1 : random.below(bytes.length);
      return { bytes: bytes.subarray(0, end), how: `to ${end} bytes` };
    }),
    replaced("more stands behind its end", (random, { own }) => {
      const line = random.pick(parseState(own.files["state.json"]).records);
      return {
        bytes: Buffer.concat([own.files["state.json"], Buffer.from(`${JSON.stringify(line)}\n`)]),
        how: line.key,
      };
    }),
    replaced("it is gone", () => ({ bytes: null, how: "removed" })),
  ],
};
