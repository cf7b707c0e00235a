import { fault, type WantedWaves, type WaveKind, waveLimits } from "@gatehouse/contract";

export interface HostOfWave {
  readonly node: string;
  /** It is connected. */
  readonly isHere: boolean;
}

export interface ArrangedWave {
  readonly kind: WaveKind;
  readonly tag?: string;
  readonly nodes: number;
}

export interface ArrangedWaves {
  readonly waves: readonly ArrangedWave[];
  /** In which wave each host is, in the order of the hosts. */
  readonly waveOf: readonly number[];
}

interface Group extends Omit<ArrangedWave, "nodes"> {
  /** Places of hosts. */
  readonly members: readonly number[];
}

/** Puts every host into one wave: those that go first, then those of each tag, then the rest. Without a wish there is one wave. */
export function arrangeWaves(
  hosts: readonly HostOfWave[],
  tagged: ReadonlyMap<string, ReadonlySet<string>>,
  { canary = 0, tags = [], size = waveLimits.hosts }: WantedWaves = {},
): ArrangedWaves {
  const left = new Set(hosts.keys());
  const take = (members: readonly number[]) => {
    for (const at of members) left.delete(at);
    return members;
  };
  const nodeAt = (at: number) => hosts[at]?.node ?? "";
  // Whoever is away could not be the one by which it is seen that the change is good.
  const [here, away] = [true, false].map((isHere) => [...left].filter((at) => hosts[at]?.isHere === isHere));
  const groups: Group[] = [{ kind: "canary", members: take([...(here ?? []), ...(away ?? [])].slice(0, canary)) }];
  for (const tag of tags) {
    const nodes = tagged.get(tag) ?? new Set();
    if (!hosts.some(({ node }) => nodes.has(node))) {
      throw fault("plan.waves", `no host of the plan has the tag ${tag}`);
    }
    groups.push({ kind: "tag", tag, members: take([...left].filter((at) => nodes.has(nodeAt(at)))) });
  }
  groups.push({ kind: "rest", members: take([...left]) });
  const pieces = groups.flatMap((group) => inPieces(group, size));
  if (pieces.length > waveLimits.waves) {
    throw fault("plan.waves", `expected at most ${waveLimits.waves} waves, found ${pieces.length}`);
  }
  const waveOf = hosts.map(() => 0);
  for (const [wave, { members }] of pieces.entries()) for (const at of members) waveOf[at] = wave;
  return { waves: pieces.map(({ members, ...what }) => ({ ...what, nodes: members.length })), waveOf };
}

function inPieces({ members, ...what }: Group, size: number): Group[] {
  const pieces: Group[] = [];
  for (let from = 0; from < members.length; from += size) {
    pieces.push({ ...what, members: members.slice(from, from + size) });
  }
  return pieces;
}
