import { type Report, UsageError } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract";
import { auditFloorKey } from "@gatehouse/contract/records";
import type { FileStore } from "@gatehouse/store";
import { defineCommand } from "../command.ts";
import { parseDuration } from "../parse-duration.ts";
import { checkOwner, directoryFlags, findDataDirectory, loadStore } from "./data-directory.ts";

const topic = "audit prune";
const day = 24 * 60 * 60;

export const auditPrune = defineCommand({
  name: topic,
  summary: "forget old records of the audit log of a stopped server",
  about: [
    "Says which records are older than the given time, and changes nothing. With --apply they are removed, for ever: the audit log then begins behind them, and its chain verifies from there on.",
    "That it was done is itself a record (audit.pruned, by cli). Records are removed from the oldest on, up to the first that is young enough; a log that is damaged is left as it is. A running server holds the directory: stop it first, or set SERVICE_AUDIT_RETENTION_DAYS and let it prune by itself.",
    "Run it as the user the server runs as, or the server could not read what it writes.",
  ],
  examples: [
    { why: "See what is older than two years", run: "gatehouse audit prune --older-than 730d --data-dir /data" },
    { why: "Forget it", run: "gatehouse audit prune --older-than 730d --data-dir /data --apply" },
  ],
  flags: {
    ...directoryFlags,
    "older-than": { value: "TIME", about: "Days: 730d. From 30d on." },
    apply: { about: "Remove the records. Without it, nothing is changed." },
  },
  run: async (given, surroundings) => {
    const text = given["older-than"];
    if (text === undefined) throw new UsageError("--older-than is missing; write --older-than 730d", topic);
    const seconds = parseDuration(text, { option: "--older-than", topic, least: 30 * day, most: 36_500 * day });
    const where = await findDataDirectory(given, surroundings);
    await checkOwner(where.directory, topic);
    const { openFileStore, openingEntries } = await loadStore();
    const store = await openFileStore(where);
    try {
      const now = Date.now();
      for (const entry of openingEntries(store, { actor: "cli", at: now })) await store.commit(entry);
      const { directory } = where;
      return await prune(store, { directory, now, before: now - seconds * 1_000, apply: given.apply === true });
    } finally {
      await store.close();
    }
  },
});

interface Wanted {
  readonly directory: string;
  readonly now: number;
  readonly before: number;
  readonly apply: boolean;
}

async function prune(store: FileStore, { directory, now, before, apply }: Wanted): Promise<Report> {
  const { broken } = await store.checkAudit();
  if (broken !== undefined) {
    const { file, position, expected, found } = broken;
    const detail = `${file}: position ${position}: expected ${expected}, found ${found}; nothing was pruned`;
    throw fault(file === "logs.db" ? "store.archive_damaged" : "store.log_damaged", detail, { fields: { ...broken } });
  }
  const { findLastBefore, pruneBefore } = await loadStore();
  const floor = (await store.get(auditFloorKey))?.value.position ?? 0;
  const last = await findLastBefore(store, before);
  const since = new Date(before).toISOString();
  const log = `the audit log in ${directory}`;
  const json = { directory, before: since, applied: apply };
  if (last <= floor) {
    return {
      ok: true,
      lines: [`Nothing in ${log} is older than ${since}.`],
      json: { ...json, applied: false, records: 0 },
    };
  }
  if (!apply) {
    const lines = [
      `${last - floor} records of ${log} are older than ${since}: positions ${floor + 1} to ${last}.`,
      "  Nothing was changed. Remove them with --apply.",
    ];
    return { ok: true, lines, json: { ...json, records: last - floor } };
  }
  // Only what is archived can be removed.
  await store.checkpoint();
  const pruned = await pruneBefore(store, { actor: "cli", at: now }, before);
  const begins = (pruned?.position ?? floor) + 1;
  const lines = [`${begins - 1 - floor} records were removed; ${log} begins at position ${begins}.`];
  return { ok: true, lines, json: { ...json, records: begins - 1 - floor, begins } };
}
