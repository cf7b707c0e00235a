import type { JsonObject } from "@gatehouse/base";
import type { Random } from "../support/random.ts";
import { type Edit, type FileEdits, type Loot, type Made, otherDigest, otherThan } from "./edit.ts";
import { chain, encodeLog, type LogChange, type LogGroup, type LogText, parseLog } from "./log-text.ts";

const name = "state.json.audit-wal";

/** What is made to fit after a change, as far as that can be done without the key. */
const fittings: Readonly<Record<string, (log: LogText, random: Random) => void>> = {
  "nothing else changed": () => undefined,
  "links and marks made to fit, seals kept": chain,
  "links and marks made to fit, seals dropped": (log) => {
    chain(log);
    for (const group of log.groups) group.seal = undefined;
  },
  "links and marks made to fit, seals of other groups": (log, random) => {
    chain(log);
    const seals = log.groups.flatMap(({ seal }) => seal ?? []);
    for (const group of log.groups) group.seal = otherThan(random, group.seal ?? "", seals);
  },
  "links and marks made to fit, seals of one's own": (log, random) => {
    chain(log);
    for (const group of log.groups) group.seal = otherDigest(random);
  },
  "links and marks made to fit, as a log of an earlier version": (log) => {
    chain(log);
    log.format = 1;
    for (const group of log.groups) group.seal = undefined;
  },
};

function edit(title: string, change: (log: LogText, random: Random, loot: Loot) => string): Edit {
  return {
    name: title,
    make: (random, loot) => {
      const log = parseLog(loot.own.files[name]);
      const what = change(log, random, loot);
      const fitting = random.pick(Object.keys(fittings));
      fittings[fitting]?.(log, random);
      return { bytes: encodeLog(log), how: `${what}, ${fitting}` };
    },
  };
}

function whole(title: string, make: (random: Random, loot: Loot, log: LogText) => Made): Edit {
  return { name: title, make: (random, loot) => make(random, loot, parseLog(loot.own.files[name])) };
}

/** A change of a field of one entry. */
function editEntry(field: string, to: (random: Random, was: unknown, entry: JsonObject) => unknown): Edit {
  return edit(`${field} of an entry`, ({ groups }, random) => {
    const group = random.pick(groups);
    const at = random.below(group.entries.length);
    const entry = group.entries[at] as JsonObject;
    const value = to(random, entry[field], entry);
    group.entries[at] = { ...entry, [field]: value as string };
    return `position ${group.first + at}: from ${JSON.stringify(entry[field])} to ${JSON.stringify(value)}`;
  });
}

/** A change of one record that the log writes. */
function editChange(title: string, kind: string, to: (random: Random, value: JsonObject) => JsonObject | null): Edit {
  return edit(title, ({ groups }, random) => {
    const all = groups.flatMap(({ changes }) => changes.flat());
    const change = random.pick(all.filter(({ key, value }) => key.startsWith(`${kind}/`) && value !== null));
    change.value = to(random, change.value ?? {});
    return `${change.key}: ${JSON.stringify(change.value)?.slice(0, 80)}`;
  });
}

/** A viewer becomes an owner, as attackers would write it. */
export function forgedGroup(random: Random, { groups }: LogText): LogGroup {
  const all = groups.flatMap(({ changes }) => changes.flat());
  const user = random.pick(all.filter(({ key, value }) => key.startsWith("user/") && value !== null));
  const change: LogChange = { ...user, was: versionOf(groups, user.key), value: { ...user.value, role: "owner" } };
  const id = user.value?.["id"] as string;
  const entry = { at: Date.UTC(2026, 2, 1), actor: "system", action: "user.changed", subject: user.key };
  const mark = { position: 0, link: "" };
  return {
    first: 0,
    link: "",
    seal: undefined,
    mark,
    entries: [{ ...entry, detail: { userId: id } }],
    changes: [[change]],
  };
}

function versionOf(groups: readonly LogGroup[], key: string): number {
  let version = 0;
  for (const { first, changes } of groups) {
    for (const [at, own] of changes.entries()) if (own.some((change) => change.key === key)) version = first + at;
  }
  return version;
}

const actions = ["auth.signed_in", "auth.swept", "plugin.asked", "token.revoked", "user.removed", "witness.key_made"];

/** Not the last one: a log that just ends sooner is counted apart. */
function pickInner(random: Random, { groups }: LogText): number {
  return random.below(groups.length - 1);
}

export const logEdits: FileEdits = {
  file: name,
  edits: [
    editEntry("action", (random, was) => otherThan(random, was, actions)),
    editEntry("actor", (random) => `usr_${otherDigest(random).slice(0, 10)}`),
    editEntry("subject", (random) => `user/usr_${otherDigest(random).slice(0, 10)}`),
    editEntry("at", (random, was) => Number(was) + 1 + random.below(1e10)),
    editEntry("address", (random, was) => otherThan(random, was, ["198.51.100.7", "203.0.113.9"])),
    editEntry("outcome", (random, was) => otherThan(random, was, ["done", "refused", "failed"])),
    editEntry("detail", (random) => ({ userId: `usr_${otherDigest(random).slice(0, 10)}`, ended: [] })),
    editChange("role of a user", "user", (random, value) => ({
      ...value,
      role: otherThan(random, value["role"], ["owner", "operator", "viewer"]) as string,
    })),
    editChange("password of a user", "user", (random, value) => ({ ...value, passwordHash: otherDigest(random) })),
    editChange("a user is removed", "user", () => null),
    editChange("one more owner", "owners", (random, value) => ({
      ids: [...(value["ids"] as string[]), `usr_${otherDigest(random).slice(0, 10)}`],
    })),
    editChange("digest of a plugin", "plugin", (random, value) => ({ ...value, artifactSha256: otherDigest(random) })),
    editChange("scopes of a token", "token", (_, value) => ({ ...value, scopes: ["user:admin"] })),
    edit("a change is left out", ({ groups }, random) => {
      const group = random.pick(groups.filter(({ changes }) => changes.some((own) => own.length > 0)));
      const own = random.pick(group.changes.filter((each) => each.length > 0));
      return `position ${group.first}: ${own.splice(random.below(own.length), 1)[0]?.key}`;
    }),
    edit("an entry is left out", ({ groups }, random) => {
      const group = random.pick(groups.filter(({ entries }) => entries.length > 1));
      const at = random.below(group.entries.length);
      group.entries.splice(at, 1);
      group.changes.splice(at, 1);
      return `position ${group.first + at}`;
    }),
    edit("two entries of a group change places", ({ groups }, random) => {
      const group = random.pick(groups.filter(({ entries }) => entries.length > 1));
      group.entries.reverse();
      if (random.chance(0.5)) group.changes.reverse();
      return `position ${group.first}`;
    }),
    edit("an entry is invented", (log, random) => {
      const group = random.pick(log.groups);
      const forged = forgedGroup(random, log);
      group.entries.push(...forged.entries);
      group.changes.push(...forged.changes);
      return `behind position ${group.first}`;
    }),
    edit("a group is left out", (log, random) => {
      const at = pickInner(random, log);
      return `position ${log.groups.splice(at, 1)[0]?.first}`;
    }),
    edit("a group stands twice", (log, random) => {
      const group = random.pick(log.groups);
      log.groups.splice(random.below(log.groups.length), 0, structuredClone(group));
      return `position ${group.first}`;
    }),
    edit("two groups change places", ({ groups }, random) => {
      const a = random.below(groups.length - 1);
      const b = a + 1 + random.below(groups.length - a - 1);
      [groups[a], groups[b]] = [groups[b] as LogGroup, groups[a] as LogGroup];
      return `numbers ${a} and ${b}`;
    }),
    edit("two groups become one", ({ groups }, random) => {
      const at = random.below(groups.length - 1);
      const [next] = groups.splice(at + 1, 1);
      const group = groups[at];
      if (group === undefined || next === undefined) throw new Error("there are too few groups");
      group.entries.push(...next.entries);
      group.changes.push(...next.changes);
      return `from position ${group.first}`;
    }),
    edit("a group is invented", (log, random) => {
      const at = random.below(log.groups.length);
      log.groups.splice(at, 0, forgedGroup(random, log));
      return `number ${at}`;
    }),
    edit("a group of an earlier moment", (log, random, { own }) => {
      const earlier = parseLog(
        random.pick(own.before.filter(({ checkpoint }) => checkpoint < own.checkpoint)).files[name],
      ).groups;
      const group = random.pick(earlier);
      log.groups.splice(random.below(log.groups.length), random.below(2), group);
      return `position ${group.first}`;
    }),
    edit("a group of another installation", (log, random, { other }) => {
      const group = random.pick(parseLog(other.files[name]).groups);
      log.groups.splice(random.below(log.groups.length), random.below(2), group);
      return `position ${group.first}`;
    }),
    whole("a group is invented behind the end", (random, _, log) => {
      const forged = forgedGroup(random, log);
      const last = random.pick(log.groups);
      log.groups.push(forged);
      chain(log);
      forged.seal = random.chance(0.3) ? undefined : random.pick([last.seal ?? "", otherDigest(random)]);
      return { bytes: encodeLog(log), how: forged.seal === undefined ? "without a seal" : "with some seal" };
    }),
    whole("seals are those of other groups", (random, _, log) => {
      const [a, b] = [pickInner(random, log), log.groups.length - 1].map((at) => log.groups[at] as LogGroup);
      if (a === undefined || b === undefined) throw new Error("there are too few groups");
      [a.seal, b.seal] = [b.seal, a.seal];
      return { bytes: encodeLog(log), how: `positions ${a.first} and ${b.first}` };
    }),
    whole("a seal is dropped", (random, _, log) => {
      const group = random.pick(log.groups);
      group.seal = undefined;
      if (random.chance(0.5)) log.format = 1;
      return { bytes: encodeLog(log), how: `position ${group.first}, format ${log.format}` };
    }),
    whole("the header begins elsewhere", (random, { own }, log) => {
      const earlier = parseLog(random.pick(own.before.filter(({ position }) => position < own.checkpoint)).files[name]);
      const how = random.below(3);
      if (how === 0) log.base += random.pick([-3, -2, -1, 1, 2, 3]);
      if (how === 1) log.baseLink = otherDigest(random);
      if (how === 2) [log.base, log.baseLink] = [earlier.base, earlier.baseLink];
      if (random.chance(0.5)) chain(log);
      return { bytes: encodeLog(log), how: `behind ${log.base}, link ${log.baseLink.slice(0, 8)}…` };
    }),
    whole("the header has a later format", (random, _, log) => {
      log.format = 3 + random.below(20);
      return { bytes: encodeLog(log), how: `format ${log.format}` };
    }),
    whole("a mark says something else", (random, _, log) => {
      const group = random.pick(log.groups);
      const mark = group.mark ?? { position: group.first, link: group.link };
      group.mark = random.chance(0.5)
        ? { ...mark, position: mark.position + 1 + random.below(9) }
        : { ...mark, link: otherDigest(random) };
      return { bytes: encodeLog(log), how: `behind position ${group.first}` };
    }),
    whole("a part is cut out", (random, { own }) => {
      const bytes = own.files[name];
      const header = bytes.indexOf(10) + 1;
      // The last mark stays: it says that something was there.
      const end = bytes.lastIndexOf("\n\n{", bytes.length, "latin1");
      const from = header + random.below(end - header - 1);
      const to = from + 1 + random.below(end - from);
      return { bytes: Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]), how: `bytes ${from} to ${to}` };
    }),
    whole("the header is cut", (random, { own }) => {
      const end = random.below(own.files[name].indexOf(10) + 1);
      return { bytes: own.files[name].subarray(0, end), how: `to ${end} bytes` };
    }),
    whole("the log of an earlier moment", (random, { own }) => {
      const moment = random.pick(own.before.filter(({ position }) => position < own.checkpoint));
      return { bytes: moment.files[name], how: `of position ${moment.position}` };
    }),
    whole("the log of another installation", (random, { other }) => {
      const moment = random.pick([...other.before, other]);
      return { bytes: moment.files[name], how: `of position ${moment.position}` };
    }),
    whole("the log of an earlier version", (_, { oldLog }) => ({ bytes: oldLog, how: "as 0.1.5 left it" })),
    whole("the log is gone", (random) =>
      random.chance(0.5) ? { bytes: null, how: "removed" } : { bytes: Buffer.alloc(0), how: "emptied" },
    ),
  ],
};
