import { type BoundLogCounts, kindOf, LogAdder, linesCounted } from "./log-counts.ts";
import { beginPart, grownPart, isPartOver, lastId, type LogPart, sparePart } from "./log-parts.ts";
import { isLogCounted, isLogFound } from "./log-query.ts";
import { NodeSources } from "./node-sources.ts";
import type { LogRows } from "./log-rows.ts";
import type { LogLine } from "./telemetry.ts";

interface MemoryLogPart extends LogPart {
  readonly rows: readonly LogLine[];
}

/** What outlives memory logs. */
export interface MemoryLogDisk {
  parts: readonly MemoryLogPart[];
  marks: Map<string, { readonly checkpoint: string; readonly at: number }>;
  lastGone: number;
}

export function newMemoryLogDisk(): MemoryLogDisk {
  return { parts: [], marks: new Map(), lastGone: 0 };
}

interface MemoryLogs extends LogRows {
  readonly prune: (spare: {
    readonly before: number;
    readonly mostBytes: number;
    readonly marksBefore: number;
  }) => void;
}

/** About what a database takes for them. */
const rowBytes = 100;

/** Lines of logs without a database: every search looks at every line. */
export function memoryLogs(disk: MemoryLogDisk): MemoryLogs {
  const drop = (spare: MemoryLogPart): void => {
    disk.lastGone = Math.max(disk.lastGone, lastId(spare));
    disk.parts = disk.parts.filter((part) => part !== spare);
  };
  const count = (query: BoundLogCounts): LogAdder => {
    const adder = new LogAdder(query);
    for (const line of disk.parts.flatMap(({ rows }) => rows)) {
      if (isLogCounted(query, line)) adder.add({ ...line, unitMs: 1, kind: kindOf(line), lines: linesCounted(line) });
    }
    return adder;
  };
  return {
    putLogs: async ({ node, rows, checkpoint }, { now, mostBytes, partBytes }) => {
      const newest = disk.parts.at(-1);
      let open = newest;
      if (open === undefined || isPartOver(open, now, partBytes)) {
        const spare = sparePart(disk.parts, { before: 0, mostBytes: mostBytes - partBytes });
        if (spare !== undefined) drop(spare);
        const last = Math.max(disk.lastGone, newest === undefined ? 0 : lastId(newest));
        open = { ...beginPart(newest, last, now), rows: [] };
        disk.parts = [...disk.parts, open];
      }
      const first = lastId(open) + 1;
      const sources = new NodeSources(open.rows.map((row) => [row.node, row.source] as const));
      const lines = rows.map((row, n) => ({
        ...row,
        id: first + n,
        node,
        source: sources.nameOf(node, row.source),
      }));
      const bytes = rows.reduce((sum, { text }) => sum + rowBytes + 2 * text.length, open.bytes);
      const grown = { ...grownPart(open, rows, now), bytes, rows: [...open.rows, ...lines] };
      disk.parts = [...disk.parts.slice(0, -1), grown];
      disk.marks.set(node, { checkpoint, at: now });
    },
    logCheckpoint: async (node) => disk.marks.get(node)?.checkpoint,
    searchLogs: async (query) => {
      const lines = disk.parts.flatMap(({ rows }) => rows);
      const found = (query.isForward ? lines : lines.toReversed()).filter(
        (line) => line.id >= query.low && line.id <= query.high && isLogFound(query, line),
      );
      const newest = disk.parts.at(-1);
      const last = Math.max(disk.lastGone, newest === undefined ? 0 : lastId(newest));
      return { items: found.slice(0, query.limit), rows: 0, goOn: undefined, last };
    },
    countLogs: async (query) => ({ sums: count(query).sums, goOn: undefined }),
    prune: ({ before, mostBytes, marksBefore }) => {
      for (const [node, { at }] of disk.marks) if (at < marksBefore) disk.marks.delete(node);
      for (let spare = sparePart(disk.parts, { before, mostBytes }); spare !== undefined; ) {
        drop(spare);
        spare = sparePart(disk.parts, { before, mostBytes });
      }
    },
  };
}
