import { fault, type FaultCode, isFault } from "@gatehouse/contract/faults";
import {
  diffOperation,
  firewallApply,
  type FirewallApply,
  type FirewallState,
  nftFiles,
  nftWords,
  renderFirewall,
} from "@gatehouse/plan";
import { sha256 } from "../local/sha256.ts";
import { sayFailedProgram } from "./failed-program.ts";
import type { ChangeGround, HostChange } from "./host-operation.ts";
import { type HostScript, putScript } from "./put-script.ts";
import { hasNoTable, readFirewallState } from "./read-firewall-state.ts";

/** For one program. nft waits for nobody but the kernel. */
const mostMs = 30_000;

/**
 * A table of Gatehouse, put in place of what it was by one transaction of the kernel: all of it or nothing. No script names another
 * table. The copy is what `nft -s list table` printed; with a line in front that takes the table away, it puts exactly that one back.
 */
export const changeFirewall: HostChange<"firewall.apply"> = {
  validate: (ground, operation) =>
    runScript(ground, applyScript(operation), { isTried: true, failed: "validate.failed" }),
  snapshot: async (ground, target) => {
    const table = getTable(target, "snapshot.failed");
    const state = await stateFor(ground, table);
    if (state === null) return null;
    if (holdsUnlistable(state))
      throw fault("snapshot.failed", `${table} holds a name or a text that nft cannot read back`);
    const listing = await findListing(ground, table, "snapshot.failed");
    if (listing === null) throw fault("snapshot.failed", `${table} was taken away while it was read`);
    checkListing(table, listing, "snapshot.failed");
    return new TextEncoder().encode(listing);
  },
  prove: async (ground, target, copy) =>
    runScript(ground, restoreScript(target, copy, "snapshot.unprovable"), {
      isTried: true,
      failed: "snapshot.unprovable",
    }),
  apply: (ground, operation) => runScript(ground, applyScript(operation), { isTried: false, failed: "apply.failed" }),
  isApplied: async (ground, operation) => {
    const state = await readFirewallState(bounded(ground), operation.table);
    if (state === null) return false;
    if (diffOperation(operation, state, sha256).some(({ mark }) => mark !== "same")) return false;
    // Flags of a table are in no JSON of older versions. One that is dormant filters nothing.
    const listing = await findListing(ground, operation.table, "state.unreadable");
    return listing !== null && !/^\tflags /m.test(listing);
  },
  restore: async (ground, target, copy) =>
    runScript(ground, restoreScript(target, copy, "restore.failed"), { isTried: false, failed: "restore.failed" }),
};

function applyScript(operation: FirewallApply): HostScript {
  return { name: nftFiles.apply(operation.table), text: renderFirewall(operation) };
}

/** Adding makes sure that there is one to delete. Without a copy there was no table, and there is none afterwards. */
function restoreScript(target: string, copy: Uint8Array | null, failed: FaultCode): HostScript {
  const table = getTable(target, failed);
  const listing = copy === null ? "" : new TextDecoder().decode(copy);
  if (copy !== null) checkListing(table, listing, failed);
  return { name: nftFiles.restore(table), text: `add table inet ${table}\ndelete table inet ${table}\n${listing}` };
}

interface ScriptWish {
  /** Whether nft only says what would come of it. */
  readonly isTried: boolean;
  readonly failed: FaultCode;
}

async function runScript(ground: ChangeGround, script: HostScript, { isTried, failed }: ScriptWish): Promise<void> {
  const path = await putScript(ground, script).catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    throw fault(failed, `${script.name} cannot be written: ${code ?? "unknown"}`, { cause });
  });
  const ran = await ground.run("nft", isTried ? nftWords.tryToLoad(path) : nftWords.load(path), mostMs);
  if (ran.code !== 0) throw fault(failed, sayFailedProgram("nft", ran));
}

/** The name went through the schema when the change was judged; whoever brings it back from a file is not taken at their word. */
function getTable(target: string, failed: FaultCode): string {
  const { success } = firewallApply.schema.shape.table.safeParse(target);
  if (!success) throw fault(failed, "expected the name of a table of Gatehouse, found another");
  return target;
}

async function stateFor(ground: ChangeGround, table: string): Promise<FirewallState | null> {
  try {
    return await readFirewallState(bounded(ground), table);
  } catch (cause) {
    if (!isFault(cause)) throw cause;
    throw fault("snapshot.failed", cause.detail, { cause });
  }
}

function bounded({ run }: ChangeGround): Pick<ChangeGround, "run"> {
  return { run: (program, args) => run(program, args, mostMs) };
}

async function findListing({ run }: ChangeGround, table: string, failed: FaultCode): Promise<string | null> {
  const ran = await run("nft", nftWords.listText(table), mostMs);
  if (ran.code === 0) return ran.stdout;
  if (hasNoTable(ran)) return null;
  throw fault(failed, sayFailedProgram("nft", ran));
}

/** One table and nothing in front of it or behind it. What lies between is nft's own. */
function checkListing(table: string, listing: string, failed: FaultCode): void {
  if (listing.startsWith(`table inet ${table} {\n`) && listing.endsWith("\n}\n")) return;
  throw fault(failed, `expected a listing of ${table}, found something else`);
}

/**
 * nft prints names and comments as they are, and reads them back by its own rules: one that was not made with nft could end its line
 * early, and the rest of it would be read as something else.
 */
function holdsUnlistable(state: FirewallState): boolean {
  let isFound = false;
  JSON.stringify(state, (key, value: unknown) => {
    if (typeof value === "string" && !isListable(key, value)) isFound = true;
    return value;
  });
  return isFound;
}

function isListable(key: string, text: string): boolean {
  if (key === "name") return /^[A-Za-z_.][\w./-]*$/.test(text);
  return !/["\p{Cc}\u{fffd}]/u.test(text);
}
