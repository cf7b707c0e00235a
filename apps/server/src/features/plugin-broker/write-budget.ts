import type { Clock } from "@gatehouse/base";

export interface WriteBudget {
  /** Takes one write of so many bytes, or says no and takes nothing. */
  take(id: string, bytes: number): boolean;
}

/** So many writes and bytes an hour for each plugin, refilled steadily. A plugin that was quiet has all of it. */
export function openWriteBudget(
  { clock }: { readonly clock: Pick<Clock, "monotonic"> },
  hourly: { readonly writes: number; readonly bytes: number },
): WriteBudget {
  const spent = new Map<string, { writes: number; bytes: number; at: number }>();
  return {
    take: (id, bytes) => {
      const now = clock.monotonic();
      const before = spent.get(id) ?? { writes: 0, bytes: 0, at: now };
      const hours = (now - before.at) / 3_600_000;
      const writes = Math.max(0, before.writes - hourly.writes * hours);
      const used = Math.max(0, before.bytes - hourly.bytes * hours);
      const hasRoom = writes + 1 <= hourly.writes && used + bytes <= hourly.bytes;
      spent.set(id, { writes: writes + (hasRoom ? 1 : 0), bytes: used + (hasRoom ? bytes : 0), at: now });
      return hasRoom;
    },
  };
}
