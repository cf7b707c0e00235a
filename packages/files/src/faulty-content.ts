import type { Random } from "./faulty-random.ts";

/** The bytes of one file, live and durable, and every operation in between, so that a disk of any moment can be drawn. */
export interface FaultyContent {
  readonly size: number;
  read(position: number, length: number): Uint8Array;
  write(at: number, bytes: Uint8Array, position: number): void;
  truncate(at: number, size: number): void;
  /** Everything written up to operation `from` is durable from operation `at` on. */
  sync(at: number, from: number): void;
  /** A failed sync: the kernel may have thrown the pages away, and a later success says nothing about them. */
  loseTrust(): void;
  /** What the disk may hold when power fails after operation `cut`. */
  after(cut: number, random: Random): FaultyContent;
}

interface Bytes {
  readonly buffer: Uint8Array;
  readonly size: number;
}

interface PendingOp {
  readonly at: number;
  /** Undefined for a truncation to `position`. */
  readonly bytes: Uint8Array | undefined;
  readonly position: number;
  durableAt: number;
  doomed: boolean;
}

export function faultyContent(initial: Bytes = { buffer: new Uint8Array(0), size: 0 }): FaultyContent {
  let { size } = initial;
  // Cut to size: what lies behind belongs to another disk that grows in the same memory.
  let buffer = initial.buffer.subarray(0, size);
  // Bytes below this belong to a snapshot as well: they are copied before they change.
  let shared = size;
  const ops: PendingOp[] = [];
  const bases = [{ at: -1, bytes: initial, opsFrom: 0 }];
  let notDurable = 0;

  const makeRoom = (from: number, end: number): void => {
    if (from >= shared && end <= buffer.length) return;
    const grown = new Uint8Array(end <= buffer.length ? buffer.length : Math.max(end, buffer.length * 2, 256));
    grown.set(buffer.subarray(0, size));
    buffer = grown;
    shared = 0;
  };
  const record = (at: number, bytes: Uint8Array | undefined, position: number): void => {
    ops.push({ at, bytes, position, durableAt: Infinity, doomed: false });
  };

  return {
    get size() {
      return size;
    },
    read: (position, length) => buffer.slice(Math.min(position, size), Math.min(position + length, size)),
    write: (at, bytes, position) => {
      const end = position + bytes.length;
      makeRoom(Math.min(position, size), end);
      if (position > size) buffer.fill(0, size, position);
      buffer.set(bytes, position);
      size = Math.max(size, end);
      record(at, bytes.slice(), position);
    },
    truncate: (at, newSize) => {
      if (newSize > size) {
        makeRoom(size, newSize);
        buffer.fill(0, size, newSize);
      }
      size = newSize;
      record(at, undefined, newSize);
    },
    sync: (at, from) => {
      let complete = true;
      for (let index = notDurable; index < ops.length; index += 1) {
        const op = ops[index] as PendingOp;
        if (op.at > from || op.doomed) complete = false;
        else op.durableAt = Math.min(op.durableAt, at);
      }
      if (!complete) return;
      notDurable = ops.length;
      bases.push({ at, bytes: { buffer, size }, opsFrom: ops.length });
      shared = Math.max(shared, size);
    },
    loseTrust: () => {
      for (let index = notDurable; index < ops.length; index += 1) {
        const op = ops[index] as PendingOp;
        if (op.durableAt === Infinity) op.doomed = true;
      }
    },
    after: (cut, random) => {
      const base = bases.findLast((candidate) => candidate.at <= cut) as (typeof bases)[number];
      const pending: PendingOp[] = [];
      for (let index = base.opsFrom; index < ops.length && (ops[index] as PendingOp).at <= cut; index += 1) {
        pending.push(ops[index] as PendingOp);
      }
      return faultyContent(pending.length === 0 ? base.bytes : afterPowerLoss(base.bytes, pending, cut, random));
    },
  };
}

/** How one power loss treats what was not synced. Mixed ones are rarer in life, but the whole range must be survived. */
const moods = ["all", "none", "prefix", "prefix", "mixed", "mixed"] as const;

function afterPowerLoss(base: Bytes, pending: readonly PendingOp[], cut: number, random: Random): Bytes {
  const mood = random.pick(moods);
  const firstLost = mood === "prefix" ? random.below(pending.length) : pending.length;
  const capacity = pending.reduce((most, op) => Math.max(most, op.position + (op.bytes?.length ?? 0)), base.size);
  const out = new Uint8Array(capacity);
  // What was allocated but never written reads as zeros on a careful file system, as anything on a careless one.
  if (random.chance(0.25)) random.fill(out.subarray(base.size));
  out.set(base.buffer.subarray(0, base.size));
  let size = base.size;
  let sizeIfAllKept = base.size;

  for (const [index, op] of pending.entries()) {
    const durable = op.durableAt <= cut;
    const kept = durable || mood === "all" || (mood === "prefix" && index < firstLost);
    const torn = !kept && (mood === "mixed" || index === firstLost);
    if (op.bytes === undefined) {
      sizeIfAllKept = op.position;
      if (!kept && !(torn && random.chance(0.5))) continue;
      if (op.position < size) out.fill(0, op.position, size);
      size = op.position;
      continue;
    }
    sizeIfAllKept = Math.max(sizeIfAllKept, op.position + op.bytes.length);
    if (kept) out.set(op.bytes, op.position);
    const end = kept ? op.position + op.bytes.length : torn ? tear(out, op.bytes, op.position, random) : 0;
    size = Math.max(size, end);
  }
  if (size < sizeIfAllKept && random.chance(0.3)) size = sizeIfAllKept;
  return { buffer: out, size };
}

/** Writes some of `bytes` and returns where the last of it ends, 0 when nothing arrived. */
function tear(out: Uint8Array, bytes: Uint8Array, position: number, random: Random): number {
  const fate = random.below(4);
  if (fate === 0) return 0;
  if (fate === 1) {
    out.set(bytes, position);
    return position + bytes.length;
  }
  if (fate === 2) {
    const length = random.below(bytes.length + 1);
    out.set(bytes.subarray(0, length), position);
    return length === 0 ? 0 : position + length;
  }
  let end = 0;
  for (let from = position; from < position + bytes.length; ) {
    const to = Math.min((Math.floor(from / sectorBytes) + 1) * sectorBytes, position + bytes.length);
    if (random.chance(0.5)) {
      out.set(bytes.subarray(from - position, to - position), from);
      end = to;
    }
    from = to;
  }
  return end;
}

/** A disk writes a sector whole or not at all; several of them in any order. */
const sectorBytes = 512;
