import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { artifactName, judgeBundle, manifestName, verifyBundle } from "@gatehouse/bundle/verify";
import { inThreads, type Share, serveThread } from "../support/lanes.ts";
import { Random } from "../support/random.ts";
import type { Scenario, Tally } from "../support/scenario.ts";
import { wronglyAccepted } from "./harms.ts";
import { inMemory, keyOf, makeBundle, placeBundle, policyOf, type SampleBundle } from "./sample.ts";

interface Order {
  readonly seed: number;
  readonly everyValue: boolean;
  readonly onDisk: number;
}

const now = Date.parse("2026-11-01T00:00:00Z");
const policy = policyOf({
  acme: { keys: [keyOf("acme")] },
  // Two keys and two needed: changing either signature leaves too few.
  guild: {
    keys: [keyOf("guild one"), keyOf("guild two")],
    capabilities: ["host:firewall", "http:egress", "kv:read"],
    threshold: 2,
  },
});

/** The least a manifest can say, and all it can say. */
const subjects: readonly SampleBundle[] = [
  makeBundle({ id: "acme-small" }),
  makeBundle(
    {
      id: "guild-rich",
      publisher: "guild",
      name: "Größe 😀 of it",
      version: "12.3.4-rc.1",
      capabilities: ["host:firewall", "http:egress", "kv:read"],
      egress: { hosts: ["a.example.org", "b.example.org"] },
      contributions: {
        nav: [
          {
            component: "netguard.firewall",
            title: "Rules",
            path: "/apps/guild-rich/all",
            icon: "wall",
            scope: "node:read",
          },
        ],
        enhancements: [{ surface: "fleet.map", component: "wireguard.lines" }],
      },
      expiresAt: "2027-01-01T00:00:00Z",
    },
    [keyOf("guild one"), keyOf("guild two")],
  ),
];

/** Every small change of a signed bundle: each bit, each byte to other values, gone, doubled, swapped, cut and continued. */
export const changedBytes: Scenario<"bundles:hostile"> = {
  name: "changed bytes",
  run: async ({ seed, short, counts }) => {
    const order = { seed, everyValue: !short, onDisk: counts.changesOnDisk };
    return (await inThreads<Order>(new URL(import.meta.url), order)).outcome();
  },
};

await serveThread<Order>(changeShare);

async function changeShare(order: Order, share: Share, tally: Tally): Promise<void> {
  for (const subject of subjects) {
    await expectAccepted(tally, subject);
    await everyChange(tally, order, share, subject);
  }
  await someOnDisk(tally, order, share);
}

async function expectAccepted(tally: Tally, subject: SampleBundle): Promise<void> {
  const verdict = await verifyBundle({ bundle: inMemory(subject), policy, now });
  if (!verdict.accepted) tally.fail(`${subject.id}, unchanged, is refused: ${verdict.refusal.detail}`);
}

interface Change {
  readonly what: string;
  readonly bytes: Uint8Array;
}

async function everyChange(tally: Tally, { everyValue }: Order, share: Share, subject: SampleBundle): Promise<void> {
  for (const file of ["manifestBytes", "artifact"] as const) {
    const changes = [...changesOf(subject[file], everyValue)];
    for (const number of share(changes.length)) {
      const { what, bytes } = (changes[number] as () => Change)();
      const changed = { ...subject, [file]: bytes };
      const verdict = await verifyBundle({ bundle: inMemory(changed), policy, now });
      tally.count("changes of a signed bundle");
      if (verdict.accepted) tally.fail(`${subject.id} is accepted with ${what} in its ${file}`, wronglyAccepted);
      else if (verdict.refusal.code === "bundle.verifier_failed") {
        tally.fail(`the verifier failed on ${subject.id} with ${what}: ${verdict.refusal.detail}`);
      }
    }
  }
}

/** Made only by whose share they are. */
function* changesOf(bytes: Uint8Array, everyValue: boolean): Generator<() => Change> {
  const size = bytes.byteLength;
  const spliced = (at: number, skip: number, put: readonly number[]) =>
    Buffer.concat([bytes.subarray(0, at), Uint8Array.from(put), bytes.subarray(at + skip)]);
  for (let at = 0; at < size; at += 1) {
    const byte = bytes[at] ?? 0;
    for (const value of otherValues(byte, everyValue)) {
      yield () => ({ what: `byte ${at} as ${value}`, bytes: spliced(at, 1, [value]) });
    }
    yield () => ({ what: `byte ${at} deleted`, bytes: spliced(at, 1, []) });
    yield () => ({ what: `byte ${at} doubled`, bytes: spliced(at, 0, [byte]) });
    const next = bytes[at + 1];
    if (next !== undefined && next !== byte) {
      yield () => ({ what: `bytes ${at} and ${at + 1} swapped`, bytes: spliced(at, 2, [next, byte]) });
    }
    yield () => ({ what: `only the first ${at} bytes`, bytes: bytes.subarray(0, at) });
    yield () => ({ what: `a space before byte ${at}`, bytes: spliced(at, 0, [32]) });
  }
  for (let value = 0; value < 256; value += 1) {
    yield () => ({ what: `byte ${value} at the end`, bytes: spliced(size, 0, [value]) });
    yield () => ({ what: `byte ${value} at the beginning`, bytes: spliced(0, 0, [value]) });
  }
}

function otherValues(byte: number, everyValue: boolean): number[] {
  if (!everyValue) return Array.from({ length: 8 }, (_, bit) => byte ^ (1 << bit));
  return Array.from({ length: 256 }, (_, value) => value).filter((value) => value !== byte);
}

/** The same with real files and the real reader, for a part of the changes. */
async function someOnDisk(tally: Tally, { seed, onDisk }: Order, share: Share): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-bundles-"));
  try {
    for (const subject of subjects) {
      await placeBundle(directory, subject);
      const accepted = await judgeBundle({ directory, name: subject.id, policy, now });
      if (!accepted.accepted) tally.fail(`${subject.id} on a disk is refused: ${accepted.refusal.detail}`);
    }
    for (const number of share(onDisk)) await changeOnDisk(tally, directory, new Random(seed, number));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function changeOnDisk(tally: Tally, directory: string, random: Random): Promise<void> {
  const { id, manifestBytes, artifact } = random.pick(subjects);
  const [file, bytes] = random.pick([[manifestName, manifestBytes] as const, [artifactName, artifact] as const]);
  const { what, bytes: changed } = drawChange(random, bytes);
  await writeFile(join(directory, id, file), changed);
  const verdict = await judgeBundle({ directory, name: id, policy, now });
  await writeFile(join(directory, id, file), bytes);
  tally.count("changes on a disk");
  if (verdict.accepted) tally.fail(`${id} is accepted with ${what} in its ${file}`, wronglyAccepted);
}

function drawChange(random: Random, bytes: Uint8Array): Change {
  const at = random.below(bytes.byteLength);
  const put = random.pick([[], [(bytes[at] ?? 0) ^ (1 << random.below(8))], [bytes[at] ?? 0, bytes[at] ?? 0]]);
  const changed = Buffer.concat([bytes.subarray(0, at), Uint8Array.from(put), bytes.subarray(at + 1)]);
  return { what: `byte ${at} as ${put.join(" ") || "nothing"}`, bytes: changed };
}
