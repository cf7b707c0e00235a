import type { RecordKey } from "@gatehouse/contract/records";
import { inventedKind } from "../support/invented-kinds.ts";
import type { AuditEntry } from "@gatehouse/contract";
import type { Change, Expect, Version } from "@gatehouse/store";
import { put, remove } from "@gatehouse/store/decide";
import { inventedEntry } from "../support/invented-entry.ts";
import { Random } from "../support/random.ts";

/** One commit of a run, derived from its number alone: whoever reads the log back knows what must be in it. */
export interface PlannedCommit {
  readonly entry: AuditEntry;
  readonly changes: readonly Change[];
  readonly expects: readonly Expect[];
  /** True when its versions are wrong on purpose: the store must refuse it. */
  readonly refused: boolean;
}

export const kinds = ["item", "node", "user"].map(inventedKind);
const idsPerKind = 8;
export const plannedAction = "crash.planned";

/** Commit `n` of `run` against records whose versions `versionOf` tells (0 when absent). Pure. */
export function planCommit(run: number, n: number, versionOf: (key: RecordKey) => Version): PlannedCommit {
  const random = new Random(run, n);
  const key = (): RecordKey => random.pick(kinds).key(String(random.below(idsPerKind)));
  const found = (target: RecordKey) => ({ key: target, version: versionOf(target) });
  const putAt = (target: RecordKey): Change =>
    put(found(target), {
      run,
      n,
      text: words(random.chance(0.05) ? 2_000 : random.below(120), random.below(1_000)),
    });
  const entry = (subject: string): AuditEntry =>
    inventedEntry({
      at: 1_700_000_000_000 + n,
      actor: "system",
      action: plannedAction,
      subject,
      detail: { run, n },
    });
  const first = key();
  const draw = random.next();
  if (draw < 0.1) return { entry: entry("nothing"), changes: [], expects: [], refused: false };
  if (draw < 0.2) {
    const wrong = { ...putAt(first), was: versionOf(first) + 1 };
    return { entry: entry(first.text), changes: [wrong], expects: [], refused: true };
  }
  if (draw < 0.35 && versionOf(first) > 0) {
    return { entry: entry(first.text), changes: [remove(found(first))], expects: [], refused: false };
  }
  if (draw < 0.5) {
    const keys = new Map([first, key(), key()].map((target) => [target.text, target]));
    return { entry: entry(first.text), changes: [...keys.values()].map(putAt), expects: [], refused: false };
  }
  const read = found(key());
  return {
    entry: entry(first.text),
    changes: [putAt(first)],
    expects: [read],
    refused: false,
  };
}

/** Text with characters of one, two and three bytes, so that a tear can fall inside one. */
function words(length: number, start: number): string {
  return "gatehouse ü € ".repeat(Math.ceil(length / 14) + 1).slice(start % 14, (start % 14) + length);
}
