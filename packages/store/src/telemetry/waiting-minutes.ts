import { cellsOfMinute, type MinuteRows, type NodeMinutes, writeRow } from "./minute-rows.ts";
import type { Minute } from "./telemetry.ts";

/** Of one node: `count` rows, and room for more; none of them is newer than `newest`. */
interface Waiting {
  readonly turn: number;
  rows: MinuteRows;
  count: number;
  newest: number;
}

/**
 * The minutes that wait to be written, by node, and those that are on their way: a reader needs both, because neither is on the disk for
 * certain.
 */
export class WaitingMinutes {
  size = 0;
  readonly #most: number;
  readonly #turns: number;
  /** Who has waited longest comes first. */
  readonly #nodes = new Map<string, Waiting>();
  #underWay: ReadonlyMap<string, MinuteRows> = new Map();

  constructor({ most, turns }: { readonly most: number; readonly turns: number }) {
    this.#most = most;
    this.#turns = turns;
  }

  /** Returns how many had to go for it. */
  put(minute: Minute): number {
    const waiting = this.#nodes.get(minute.node) ?? this.#begin(minute.node);
    const known = findRow(waiting, minute.at);
    if (known === undefined) {
      if (waiting.count * cellsOfMinute === waiting.rows.length) waiting.rows = grown(waiting.rows);
      waiting.count += 1;
      this.size += 1;
    }
    waiting.newest = Math.max(waiting.newest, minute.at);
    writeRow(waiting.rows, known ?? waiting.count - 1, minute);
    if (this.size <= this.#most) return 0;
    this.#dropOldest();
    return 1;
  }

  /** Those whose turn it is are under way from now on, until `landed` is called. One such journey at a time. */
  take(isTurn: (turn: number) => boolean): readonly NodeMinutes[] {
    const taken: NodeMinutes[] = [];
    for (const [node, { turn, rows, count }] of this.#nodes) {
      if (!isTurn(turn)) continue;
      this.#nodes.delete(node);
      this.size -= count;
      taken.push({ node, rows: rows.slice(0, count * cellsOfMinute) });
    }
    this.#underWay = new Map(taken.map(({ node, rows }) => [node, rows]));
    return taken;
  }

  landed(): void {
    this.#underWay = new Map();
  }

  /** What is not known to be on the disk, the newest word on a minute last. */
  of(node: string): MinuteRows {
    const first = this.#underWay.get(node) ?? new Float64Array();
    const waiting = this.#nodes.get(node);
    if (waiting === undefined) return first.slice();
    const length = waiting.count * cellsOfMinute;
    const all = new Float64Array(first.length + length);
    all.set(first);
    all.set(waiting.rows.subarray(0, length), first.length);
    return all;
  }

  #begin(node: string): Waiting {
    const rows = new Float64Array(this.#turns * cellsOfMinute);
    const waiting = { turn: turnOf(node, this.#turns), rows, count: 0, newest: -1 };
    this.#nodes.set(node, waiting);
    return waiting;
  }

  /** In turn among the nodes, so that one whose minutes came first does not lose them all. */
  #dropOldest(): void {
    const [oldest] = this.#nodes;
    if (oldest === undefined) return;
    const [node, waiting] = oldest;
    this.#nodes.delete(node);
    this.size -= 1;
    waiting.count -= 1;
    if (waiting.count === 0) return;
    waiting.rows.copyWithin(0, cellsOfMinute);
    this.#nodes.set(node, waiting);
  }
}

/** Always the same for one name, so that no node's turn is missed. */
export function turnOf(node: string, turns: number): number {
  let sum = 0;
  for (let n = 0; n < node.length; n += 1) sum = (Math.imul(sum, 31) + node.charCodeAt(n)) >>> 0;
  return sum % turns;
}

function findRow({ rows, count, newest }: Waiting, at: number): number | undefined {
  // Nearly always.
  if (at > newest) return undefined;
  for (let row = count - 1; row >= 0; row -= 1) if (rows[row * cellsOfMinute] === at) return row;
  return undefined;
}

function grown(rows: MinuteRows): MinuteRows {
  const larger = new Float64Array(2 * rows.length);
  larger.set(rows);
  return larger;
}
