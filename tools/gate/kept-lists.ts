import { readText } from "../repository.ts";

/** A seed that once failed: the gate runs it for ever. `only` narrows it to the part that failed. */
export interface KeptSeed {
  readonly suite: string;
  readonly seed: number;
  readonly only?: string;
  readonly why: string;
}

/** A test that runs, prints and does not count, until its date. Its name is as the results list it, behind `suite: `. */
export interface Quarantined {
  readonly name: string;
  readonly since: string;
  readonly why: string;
  readonly until: string;
}

export const seedsFile = "tests/seeds.json";
export const quarantineFile = "tests/quarantine.json";
export const mostQuarantined = 5;

export function readSeeds(): KeptSeed[] {
  return JSON.parse(readText(seedsFile)) as KeptSeed[];
}

export function readQuarantine(): Quarantined[] {
  return JSON.parse(readText(quarantineFile)) as Quarantined[];
}

/** What is wrong with the list; nothing when it may stand. */
export function findQuarantineFlaws(list: readonly Quarantined[], today: string): string[] {
  const day = /^\d{4}-\d{2}-\d{2}$/;
  return [
    ...(list.length > mostQuarantined ? [`expected at most ${mostQuarantined} tests, found ${list.length}`] : []),
    ...list.flatMap(({ name, since, why, until }) => [
      ...(day.test(since) && day.test(until) ? [] : [`${name}: since and until are days, as 2026-11-15`]),
      ...(why.length < 10 ? [`${name}: why it is there is not said`] : []),
      ...(until < today ? [`${name}: its time ended on ${until}; mend it or remove it`] : []),
    ]),
  ];
}
