import { Fault } from "@gatehouse/base";
import { diagnoseDataDirectory, type FileStore, openFileStore, verifyDataDirectory } from "@gatehouse/store";
import { type Changed, fileNames, inDirectory } from "./files.ts";
import type { Installation } from "./installation.ts";
import { type Reading, readAll } from "./reading.ts";

/** What became of an edit, as whoever runs the server learns of it. */
export type Fate =
  | "refused at start"
  /** `logs.db` was made anew from its entries, and the start says so. */
  | "made anew at start"
  /** Bytes behind the last sealed group were cut off, and the start says so. */
  | "cut off at start"
  | "reported by the check"
  | "made anew by the check"
  | "accepted silently";

export interface Verdict {
  readonly fate: Fate;
  /** What is wrong with how it was told, or with what is read afterwards. */
  readonly wrong?: string;
  /** What the operator read. */
  readonly said: string;
}

/** Starts on the changed files as the server does, then lets the check in the background run to its end. */
export function judgeEdit(
  directory: string,
  changed: Changed,
  { reading }: Pick<Installation, "reading">,
): Promise<Verdict> {
  return inDirectory(directory, changed, async () => {
    let store: FileStore;
    try {
      store = await openFileStore({ directory, onFatal: (error) => process.stderr.write(`${String(error)}\n`) });
    } catch (error) {
      return refusalOf(error);
    }
    try {
      return await judgeStarted(store, reading);
    } catch (error) {
      return { fate: "reported by the check", wrong: `it failed without a name: ${errorText(error)}`, said: "" };
    } finally {
      await store.abandon();
    }
  });
}

/** A refusal names a file and says what to do. */
function refusalOf(error: unknown): Verdict {
  const fate = "refused at start";
  if (!(error instanceof Fault)) return { fate, wrong: `it failed without a name: ${errorText(error)}`, said: "" };
  const said = `${error.code}: ${error.detail}`;
  if (error.kind !== "startup" && error.kind !== "damaged")
    return { fate, wrong: `it is no refusal of a start: ${said}`, said };
  if (!fileNames.some((name) => error.detail.includes(name))) return { fate, wrong: `it names no file: ${said}`, said };
  if ((error.todo ?? "") === "") return { fate, wrong: `it does not say what to do: ${said}`, said };
  return { fate, said };
}

async function judgeStarted(store: FileStore, untouched: Reading): Promise<Verdict> {
  const { rebuilt, cut } = store;
  const report = await store.checkAudit();
  const said = JSON.stringify(rebuilt ?? cut ?? report.broken ?? report.rebuilt ?? "nothing");
  if (!report.ok) {
    const named = report.broken?.file;
    const wrong = named === undefined ? `the check names no file: ${JSON.stringify(report)}` : undefined;
    return { fate: "reported by the check", said, ...(wrong !== undefined && { wrong }) };
  }
  // Whatever was made anew or cut off: from here on everything must be as if nobody had touched it.
  const wrong = await findDifference(store, untouched);
  const told = { said, ...(wrong !== undefined && { wrong }) };
  if (rebuilt !== undefined) return { fate: "made anew at start", ...told };
  if (report.rebuilt !== undefined) return { fate: "made anew by the check", ...told };
  if (cut !== undefined) return { fate: "cut off at start", ...told };
  return { fate: "accepted silently", ...told };
}

async function findDifference(store: FileStore, untouched: Reading): Promise<string | undefined> {
  const again = await store.checkAudit();
  if (!again.ok || again.rebuilt !== undefined)
    return `a second check finds ${JSON.stringify(again.broken ?? again.rebuilt)}`;
  const found = await readAll(store);
  for (const sort of ["records", "entries", "searches"] as const) {
    if (found[sort] !== untouched[sort]) return `${sort} differ: ${firstDifference(found[sort], untouched[sort])}`;
  }
  return undefined;
}

function firstDifference(found: string, expected: string): string {
  const at = Array.from(expected).findIndex((character, index) => character !== found[index]);
  return `found ${found.slice(Math.max(0, at - 60), at + 60)}, expected ${expected.slice(Math.max(0, at - 60), at + 60)}`;
}

/** Whether the two offline doors say what the start and the check said; what they said when not. */
export async function findDisagreement(
  directory: string,
  changed: Changed,
  { fate }: Verdict,
): Promise<string | undefined> {
  const verified = await inDirectory(directory, changed, verifyText);
  const diagnosed = await inDirectory(directory, changed, diagnoseText);
  const isTold = fate !== "accepted silently" && fate !== "cut off at start";
  const wrong = [];
  if (isTold === (verified === "ok")) wrong.push(`verification says ${verified}`);
  if (isTold === (diagnosed === "healthy")) wrong.push(`diagnosis says ${diagnosed}`);
  return wrong.length === 0 ? undefined : wrong.join(", ");
}

async function verifyText(directory: string): Promise<string> {
  try {
    const { ok, broken } = await verifyDataDirectory({ directory });
    return ok ? "ok" : JSON.stringify(broken);
  } catch (error) {
    return error instanceof Fault ? error.message : "ok";
  }
}

async function diagnoseText(directory: string): Promise<string> {
  try {
    const { healthy, findings } = await diagnoseDataDirectory({ directory });
    return healthy ? "healthy" : JSON.stringify(findings.filter(({ ok }) => !ok));
  } catch (error) {
    return error instanceof Fault ? error.message : "healthy";
  }
}

export function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message).slice(0, 600) : String(error);
}
