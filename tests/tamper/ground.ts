import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { inScratch } from "../support/scratch.ts";
import type { Loot } from "./edit.ts";
import { type Installation, makeInstallation, receive } from "./installation.ts";

/** The installations of a run: each is the other one's other. Handed to threads. */
export interface Ground {
  readonly installations: readonly Installation[];
  readonly oldLog: Buffer;
}

const oldLogPath = join(import.meta.dirname, "../fixtures/data/0.1.5/state.json.audit-wal");

let made: Promise<Ground> | undefined;

/** Made once, for all scenarios. */
export function getGround(): Promise<Ground> {
  made ??= inScratch(makeGround);
  return made;
}

async function makeGround(home: string): Promise<Ground> {
  const installations = [
    await makeInstallation({ home, name: "whole", isPruned: false }),
    await makeInstallation({ home, name: "pruned", isPruned: true }),
  ];
  return { installations, oldLog: await readFile(oldLogPath) };
}

/** What there is to take: they take turns as the one that is attacked. */
export function lootsOf({ installations, oldLog }: Ground): readonly Loot[] {
  const [one, two] = installations.map(receive);
  if (one === undefined || two === undefined) throw new Error("two installations are needed");
  const old = Buffer.from(oldLog);
  return [
    { own: one, other: two, oldLog: old },
    { own: two, other: one, oldLog: old },
  ];
}

/** The numbered case's own of some things. */
export function turnOf<T>(things: readonly T[], number: number): T {
  const thing = things[number % things.length];
  if (thing === undefined) throw new Error("there is nothing");
  return thing;
}
