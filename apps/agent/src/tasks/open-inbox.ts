import { createHash, type Hash } from "node:crypto";
import { fault } from "@gatehouse/contract/faults";
import type { StopTimer, Timers } from "../host/timers.ts";
import type { TaskDesk, TaskPart } from "./task.ts";

/**
 * The parts of one change on their way in, in memory alone. When the helper ends they are gone, and the change that is submitted again
 * misses all of them.
 */
export interface Inbox {
  /** From now on these are taken and no others. Those of them that are whole stay, all else leaves; gives the ones that are not here. */
  expect(parts: readonly TaskPart[]): readonly TaskPart[];
  put(piece: Parameters<TaskDesk["put"]>[0]): void;
  /** A piece of the change has come that is kept elsewhere: it does not stand still. */
  moves(): void;
  /** The bytes of a part that is whole. */
  get(part: TaskPart): Uint8Array;
  clear(): void;
}

export interface InboxDeps {
  readonly timers: Timers;
  /** Bytes of all parts together. */
  readonly most: number;
}

/** So long a change may stand still before what has come of it is forgotten. */
export const standstillMs = 10 * 60_000;

/** A part with its place in memory. It is as large as was announced, so that many small pieces cost no more than a large one. */
interface Arriving {
  readonly bytes: Uint8Array;
  readonly hash: Hash;
  held: number;
}

export function openInbox({ timers, most }: InboxDeps): Inbox {
  /** What is wanted, by digest. */
  let wanted = new Map<string, number>();
  const arriving = new Map<string, Arriving>();
  let stopTimer: StopTimer = () => undefined;
  const clear = () => {
    stopTimer();
    wanted = new Map();
    arriving.clear();
  };
  const wait = () => {
    stopTimer();
    stopTimer = timers.after(standstillMs, clear);
  };
  const isWhole = (sha256: string) => {
    const part = arriving.get(sha256);
    return part !== undefined && part.held === part.bytes.byteLength;
  };
  return {
    clear,
    expect: (parts) => {
      const named = new Map(parts.map(({ sha256, size }) => [sha256, size]));
      const total = [...named.values()].reduce((sum, size) => sum + size, 0);
      if (total > most) throw fault("blob.quota", `expected at most ${most} bytes in all, found ${total}`);
      wanted = named;
      for (const sha256 of arriving.keys()) {
        if (!named.has(sha256) || !isWhole(sha256)) arriving.delete(sha256);
      }
      wait();
      return [...named].flatMap(([sha256, size]) => (isWhole(sha256) ? [] : [{ sha256, size }]));
    },
    put: ({ sha256, offset, bytes }) => {
      const size = wanted.get(sha256);
      if (size === undefined)
        throw fault("blob.not_wanted", `expected a part of the submitted change, found ${sha256}`);
      const part = arriving.get(sha256) ?? { bytes: new Uint8Array(size), hash: createHash("sha256"), held: 0 };
      const end = offset + bytes.byteLength;
      if (offset !== part.held || end > size) {
        throw fault("blob.size", `expected bytes from ${part.held} up to ${size}, found ${offset} up to ${end}`);
      }
      part.bytes.set(bytes, offset);
      part.hash.update(bytes);
      part.held = end;
      arriving.set(sha256, part);
      wait();
      if (end < size) return;
      const found = part.hash.digest("hex");
      if (found === sha256) return;
      arriving.delete(sha256);
      throw fault("blob.digest", `expected ${sha256}, found ${found}`);
    },
    moves: () => {
      if (wanted.size > 0) wait();
    },
    get: ({ sha256 }) => {
      const part = arriving.get(sha256);
      if (part === undefined || !isWhole(sha256))
        throw fault("artifact.missing", `expected ${sha256}, found no such part`);
      return part.bytes;
    },
  };
}
