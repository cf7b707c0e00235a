import type { WitnessCode } from "@gatehouse/contract";
import type { AuditWitnessView } from "@gatehouse/contract/routes";

type Told = Pick<AuditWitnessView, "code" | "name" | "position">;

/** What is wrong in one sentence, as the first host that knows better has it. `end` is that of the log now, if it is known. */
export function disbeliefTitle({ code, name, position }: Told, end?: number): string {
  if (code === "witness.regressed") {
    if (position === null || end === undefined) return `Shorter than what ${name} saw.`;
    const by = position - end;
    if (by > 0) return `Shorter than what ${name} saw, by ${by === 1 ? "1 entry" : `${said(by)} entries`}.`;
    return `Cut behind what ${name} saw, and written on since.`;
  }
  if (code === "witness.signature") return `${name} was shown a head that this server’s key has not signed.`;
  return position === null
    ? `Not the log that ${name} saw.`
    : `Not the log that ${name} saw, from #${said(position)} or before.`;
}

/** Why a host refuses, in the words of a table. */
const reasons: Readonly<Record<WitnessCode, string>> = {
  "witness.damaged": "its file is damaged",
  "witness.fork": "another log",
  "witness.gap": "away too long to tell",
  "witness.regressed": "a shorter log",
  "witness.signature": "not signed by this server",
};

export function refusalReason(code: WitnessCode | null): string {
  return code === null ? "" : (reasons[code] ?? code);
}

/** What root does about a host that cannot tell; nothing is wrong with the log by that alone. */
export const cannotTellTodo: Readonly<Partial<Record<WitnessCode, string>>> = {
  "witness.gap":
    "More heads were signed while it was away than are kept, so nobody can prove that the log goes on from what it saw. Compare with another host; then root runs this on it:",
  "witness.damaged":
    "What it kept cannot be read any more. Look at its disk; then root runs this on it, and it begins anew:",
};

function said(count: number): string {
  return count.toLocaleString("en-GB");
}
