import { runGate } from "./gate/run-gate.ts";
import type { Suite } from "./gate/suite.ts";

/** Everything that is drawn in the gate comes from this number, so that two runs of one commit do the same things. */
export const gateSeed = 1;

/**
 * What decides whether a change lands, suite by suite. `--short` is this form: its seed and its counts, nothing that a
 * clock or a dice decides (decision 0006). `minutes` is a suite's share of the gate's time on two quiet cores.
 * Suites of one lane run one after the other. `soak` is the count of the whole form.
 * All of it takes at most 20 minutes; with the labs of hosts, plans and terminals at most 44.
 */
export const suites = {
  // Types, lint, imports, format, and the tests that start nothing or a compiler: all of it only computes, and no clock sees how late it is.
  check: { lane: "beside", minutes: 2, seeded: true, counts: {} },
  // The other tests of the check. They wait for what they start, so that they have their full share.
  "check:processes": { lane: 1, minutes: 2, seeded: true, counts: {} },
  acceptance: { lane: 3, minutes: 3, seeded: false, counts: {} },
  // The gate makes a few of the edits; the whole form makes them all.
  mutants: { lane: "beside", minutes: 1, seeded: true, counts: {} },
  // Most of its time it waits for plugins to use up theirs. In a lane it held up what computes, and was ten times as slow as alone.
  sandbox: {
    lane: "beside",
    minutes: 2,
    seeded: true,
    // In each of the two places where plugins misbehave. The first runs are every behaviour once.
    counts: {
      runs: { gate: 250, soak: 5_000 },
      deaths: { gate: 3, soak: 100 },
      storms: { gate: 1, soak: 50 },
      hoards: { gate: 1, soak: 50 },
    },
  },
  security: {
    lane: 3,
    minutes: 4,
    seeded: true,
    // Each begins with the number of its class.
    counts: {
      "10 changed plans": { gate: 500, soak: 200_000 },
      "17 changes at once": { gate: 100, soak: 3_000 },
      "21 refused starts": { gate: 3, soak: 5 },
      "21 later starts": { gate: 2, soak: 3 },
      "32 plugins": { gate: 4, soak: 12 },
      "32 links into the log": { gate: 1, soak: 4 },
      "32 searches": { gate: 2, soak: 8 },
      "33 orders for a page": { gate: 1, soak: 6 },
      "37 paths": { gate: 1_500, soak: 50_000 },
      "39 paths": { gate: 500, soak: 20_000 },
      "44 commits": { gate: 300, soak: 3_000 },
      "45 words": { gate: 3, soak: 100 },
      "45 more processes": { gate: 0, soak: 3 },
      "46 changed bundles": { gate: 1_000, soak: 100_000 },
      "47 verdicts": { gate: 50, soak: 10_000 },
      "47 activations": { gate: 6, soak: 1_500 },
      "47 actions": { gate: 6, soak: 4_000 },
      "50 pairs": { gate: 5_000, soak: 1_000_000 },
      "50 documents": { gate: 1_000, soak: 200_000 },
      "51 texts": { gate: 10_000, soak: 2_000_000 },
      "54 versions": { gate: 1_000, soak: 200_000 },
      "59 keys": { gate: 100, soak: 5_000 },
      "61 installations": { gate: 3, soak: 8 },
      "61 nonces": { gate: 20_000, soak: 1_000_000 },
      "65 addresses": { gate: 3, soak: 40 },
      "66 answers": { gate: 20, soak: 200 },
      "68 addresses": { gate: 2_000, soak: 50_000 },
      "68 answers": { gate: 40, soak: 10_000 },
      "72 sources": { gate: 100, soak: 20_000 },
      "75 refused starts": { gate: 2, soak: 100 },
      "78 attempts": { gate: 20, soak: 1_000 },
      "79 escapes in one text": { gate: 10, soak: 1 },
      "79 formats": { gate: 1, soak: 2 },
      "81 hostile words": { gate: 300, soak: 10_000 },
      "83 waves": { gate: 2, soak: 20 },
      "83 streams in a wave": { gate: 30, soak: 500 },
      "83 actions of a plugin": { gate: 20, soak: 200 },
      "83 floods": { gate: 1, soak: 60 },
      "84 broken handshakes": { gate: 400, soak: 20_000 },
      "86 rounds": { gate: 1, soak: 20 },
      "87 texts against a pattern": { gate: 60, soak: 2_000 },
      "88 slow clients": { gate: 500, soak: 10_000 },
      "88 bad handshakes": { gate: 300, soak: 20_000 },
      "88 good requests": { gate: 100, soak: 2_000 },
      "89 strangers": { gate: 40, soak: 2_000 },
      "89 hosts": { gate: 8, soak: 200 },
      "90 damaged logs": { gate: 1_000, soak: 100_000 },
      "90 damaged directories": { gate: 4, soak: 60 },
      "93 days of siege": { gate: 1, soak: 4 },
      // Half a minute each; what it installs is what the gate itself has begun with.
      "99 whole installations": { gate: 0, soak: 1 },
      "102 strangers": { gate: 120, soak: 5_000 },
      "103 invented names": { gate: 20_000, soak: 1_000_000 },
    },
  },
  crash: {
    lane: "beside",
    minutes: 3,
    seeded: true,
    counts: {
      cuts: { gate: 12_000, soak: 100_000 },
      kills: { gate: 100, soak: 10_000 },
      faults: { gate: 60, soak: 100_000 },
      corruptions: { gate: 2_000, soak: 200_000 },
      disks: { gate: 300, soak: 3_000 },
    },
  },
  "bundles:hostile": {
    lane: "beside",
    minutes: 1,
    seeded: true,
    counts: {
      manifests: { gate: 30_000, soak: 1_000_000 },
      policies: { gate: 4_000, soak: 100_000 },
      changesOnDisk: { gate: 1_000, soak: 20_000 },
      swaps: { gate: 1_000, soak: 20_000 },
    },
  },
  tamper: {
    lane: "beside",
    minutes: 1,
    seeded: true,
    // Each edit is of one of about 150 kinds, in turn.
    counts: {
      edits: { gate: 450, soak: 10_000 },
      cuts: { gate: 10, soak: 500 },
      controls: { gate: 4, soak: 40 },
      meaningless: { gate: 6, soak: 60 },
    },
  },
  hostile: {
    lane: 2,
    minutes: 1,
    seeded: true,
    counts: { requests: { gate: 2_000, soak: 10_000 }, slowClients: { gate: 100, soak: 400 } },
  },
  "load:fleet": {
    lane: 2,
    minutes: 1,
    seeded: true,
    counts: { agents: { gate: 1_000, soak: 10_000 }, frames: { gate: 50_000, soak: 1_000_000 } },
  },
  // One plan for all of them, in waves of a third; in the whole form of 500.
  "load:plans": {
    lane: 2,
    minutes: 1,
    seeded: true,
    counts: { nodes: { gate: 300, soak: 10_000 }, wave: { gate: 100, soak: 500 } },
  },
  // By a clock of its own. The whole form also has a fleet, whose file takes some gigabytes.
  "load:telemetry": {
    lane: "beside",
    minutes: 1,
    seeded: true,
    counts: { nodes: { gate: 100, soak: 500 }, days: { gate: 30, soak: 30 }, fleet: { gate: 0, soak: 10_000 } },
  },
  // By a clock of its own. The whole form also prints figures of more lines, in some gigabytes.
  "load:logs": {
    lane: "beside",
    minutes: 1,
    seeded: true,
    counts: {
      lines: { gate: 500_000, soak: 500_000 },
      searches: { gate: 240, soak: 4_000 },
      measured: { gate: 0, soak: 10_000_000 },
    },
  },
  "evil:server": {
    // Alone, as the lab: its hosts make changes, and a host that is starved rightly refuses to begin one.
    lane: "alone",
    minutes: 3,
    seeded: true,
    counts: {},
  },
  // Its agents make no change and stand on no host: one that is starved answers later, and is waited for.
  "evil:frames": {
    lane: "beside",
    minutes: 2,
    seeded: true,
    // Under each ceiling, besides every type; under those between the ends a share. The compiled agent pauses as on a host: half a second for each.
    counts: { mutated: { gate: 60, soak: 20_000 }, compiled: { gate: 4, soak: 600 } },
  },
  differential: {
    lane: "beside",
    minutes: 1,
    seeded: true,
    // Of strings for each field; of values for each program.
    counts: {
      plans: { gate: 200, soak: 1_000 },
      strings: { gate: 10_000, soak: 10_000 },
      values: { gate: 20, soak: 200 },
    },
  },
  e2e: { lane: 2, minutes: 4, seeded: true, counts: {} },
  // The first run on a machine makes the image of a host in a minute.
  // Alone: a host that is starved misses the second by which its own timer is read back, and rightly refuses to begin.
  // Every step of a change and every fault at least once; the whole form also draws where behind a step they hit.
  lab: { lane: "alone", minutes: 9, seeded: true, counts: { faults: { gate: 30, soak: 500 } } },
  "lab:plugins": { lane: 1, minutes: 1, seeded: false, counts: {} },
  // Its servers run in containers, and it waits for them.
  "lab:container": { lane: 1, minutes: 3, seeded: false, counts: {} },
} as const satisfies Record<string, Suite>;

export type SuiteName = keyof typeof suites;

/** How often a suite does each thing, in the gate's form or in the whole one. */
export function countsOf<Name extends SuiteName>(name: Name, short: boolean): Counts<Name> {
  const counts: Suite["counts"] = suites[name].counts;
  return Object.fromEntries(
    Object.entries(counts).map(([what, { gate, soak }]) => [what, short ? gate : soak]),
  ) as Counts<Name>;
}

export type Counts<Name extends SuiteName> = { readonly [What in keyof (typeof suites)[Name]["counts"]]: number };

if (import.meta.main) process.exitCode = await runGate(suites);
