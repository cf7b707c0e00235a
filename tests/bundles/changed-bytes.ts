import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { artifactName, judgeBundle, manifestName, verifyBundle } from "@gatehouse/bundle/verify";
import { Random } from "../support/random.ts";
import { inMemory, keyOf, makeBundle, placeBundle, policyOf, type SampleBundle } from "./sample.ts";
import { inThreads, laneCount, type Outcome, type Scenario, serveThread, Tally } from "./tally.ts";
import { timed } from "./timed.ts";

interface Share {
  readonly seed: number;
  readonly lane: number;
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
export const changedBytes: Scenario = {
  name: "changed bytes",
  run: async ({ seed, short }) => {
    const shares = Array.from({ length: laneCount }, (_, lane) => ({
      seed,
      lane,
      everyValue: !short,
      onDisk: Math.ceil((short ? 2_000 : 20_000) / laneCount),
    }));
    return (await inThreads<Share>(new URL(import.meta.url), shares)).outcome();
  },
};

await serveThread<Share>(changeShare);

async function changeShare(share: Share): Promise<Outcome> {
  const tally = new Tally();
  for (const subject of subjects) {
    await expectAccepted(tally, subject);
    await everyChange(tally, share, subject);
  }
  await someOnDisk(tally, share);
  return tally.outcome();
}

async function expectAccepted(tally: Tally, subject: SampleBundle): Promise<void> {
  const verdict = await verifyBundle({ bundle: inMemory(subject), policy, now });
  if (!verdict.accepted) tally.fail(`${subject.id}, unchanged, is refused: ${verdict.refusal.detail}`);
}

interface Change {
  readonly what: string;
  readonly bytes: Uint8Array;
}

async function everyChange(tally: Tally, { lane, everyValue }: Share, subject: SampleBundle): Promise<void> {
  for (const file of ["manifestBytes", "artifact"] as const) {
    let at = 0;
    for (const change of changesOf(subject[file], everyValue)) {
      at += 1;
      if (at % laneCount !== lane) continue;
      const changed = { ...subject, [file]: change.bytes };
      const { value: verdict, ms } = await timed(() => verifyBundle({ bundle: inMemory(changed), policy, now }));
      tally.took(ms, () => `${subject.id} with ${change.what} in its ${file}`);
      tally.count("changes of a signed bundle");
      if (verdict.accepted) tally.failAccepted(`${subject.id} is accepted with ${change.what} in its ${file}`);
      else if (verdict.refusal.code === "bundle.verifier_failed") {
        tally.fail(`the verifier failed on ${subject.id} with ${change.what}: ${verdict.refusal.detail}`);
      }
    }
  }
}

function* changesOf(bytes: Uint8Array, everyValue: boolean): Generator<Change> {
  const size = bytes.byteLength;
  const spliced = (at: number, skip: number, put: readonly number[]) =>
    Buffer.concat([bytes.subarray(0, at), Uint8Array.from(put), bytes.subarray(at + skip)]);
  for (let at = 0; at < size; at += 1) {
    const byte = bytes[at] ?? 0;
    for (const value of otherValues(byte, everyValue)) {
      yield { what: `byte ${at} as ${value}`, bytes: spliced(at, 1, [value]) };
    }
    yield { what: `byte ${at} deleted`, bytes: spliced(at, 1, []) };
    yield { what: `byte ${at} doubled`, bytes: spliced(at, 0, [byte]) };
    const next = bytes[at + 1];
    if (next !== undefined && next !== byte) {
      yield { what: `bytes ${at} and ${at + 1} swapped`, bytes: spliced(at, 2, [next, byte]) };
    }
    yield { what: `only the first ${at} bytes`, bytes: bytes.subarray(0, at) };
    yield { what: `a space before byte ${at}`, bytes: spliced(at, 0, [32]) };
  }
  for (let value = 0; value < 256; value += 1) {
    yield { what: `byte ${value} at the end`, bytes: spliced(size, 0, [value]) };
    yield { what: `byte ${value} at the beginning`, bytes: spliced(0, 0, [value]) };
  }
}

function otherValues(byte: number, everyValue: boolean): number[] {
  if (!everyValue) return Array.from({ length: 8 }, (_, bit) => byte ^ (1 << bit));
  return Array.from({ length: 256 }, (_, value) => value).filter((value) => value !== byte);
}

/** The same with real files and the real reader, for a part of the changes. */
async function someOnDisk(tally: Tally, { seed, lane, onDisk }: Share): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-bundles-"));
  const random = new Random(seed, lane);
  try {
    for (const subject of subjects) {
      const place = await placeBundle(directory, subject);
      const accepted = await judgeBundle({ directory, name: subject.id, policy, now });
      if (!accepted.accepted) tally.fail(`${subject.id} on a disk is refused: ${accepted.refusal.detail}`);
      const files = [
        { path: join(place, manifestName), bytes: subject.manifestBytes },
        { path: join(place, artifactName), bytes: subject.artifact },
      ];
      for (let round = 0; round < onDisk / subjects.length; round += 1) {
        const { path, bytes } = random.pick(files);
        const { what, bytes: changed } = drawChange(random, bytes);
        await writeFile(path, changed);
        const verdict = await judgeBundle({ directory, name: subject.id, policy, now });
        await writeFile(path, bytes);
        tally.count("changes on a disk");
        if (verdict.accepted) tally.failAccepted(`${path} is accepted with ${what}`);
      }
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function drawChange(random: Random, bytes: Uint8Array): Change {
  const at = random.below(bytes.byteLength);
  const put = random.pick([[], [(bytes[at] ?? 0) ^ (1 << random.below(8))], [bytes[at] ?? 0, bytes[at] ?? 0]]);
  const changed = Buffer.concat([bytes.subarray(0, at), Uint8Array.from(put), bytes.subarray(at + 1)]);
  return { what: `byte ${at} as ${put.join(" ") || "nothing"}`, bytes: changed };
}
