import { type Entry, weigh } from "./contents.ts";
import type { OutKind } from "./outbox-format.ts";

/** What may be dropped when the outbox is full, the least worth first. Whatever is not here is never dropped. */
const dropOrder: readonly OutKind[] = ["step", "log", "state"];

export interface Room {
  /** Bytes that must be freed, and bytes that are freed when one has begun: the file is written anew for it. */
  readonly need: number;
  readonly want: number;
}

/** Which messages go for one of this kind, oldest first; undefined when even they would not make room. Nothing goes for what is worth less. */
export function makeRoom(waiting: readonly Entry[], kind: OutKind, { need, want }: Room): readonly Entry[] | undefined {
  const worth = dropOrder.indexOf(kind);
  const mayGo = worth === -1 ? dropOrder : dropOrder.slice(0, worth + 1);
  const dropped: Entry[] = [];
  let freed = 0;
  for (const each of mayGo) {
    if (freed >= need) break;
    for (const entry of waiting) {
      if (freed >= want) break;
      if (entry.kind !== each) continue;
      dropped.push(entry);
      freed += weigh([entry]);
    }
  }
  return freed >= need ? dropped : undefined;
}
