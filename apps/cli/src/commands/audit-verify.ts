import { readFile } from "node:fs/promises";
import { type Report, UsageError } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract";
import type { DirectoryReport } from "@gatehouse/store";
import { defineCommand } from "../command.ts";
import { readWitnessText, type WitnessFile } from "../files/read-witness.ts";
import { directoryFlags, findDataDirectory, loadStore } from "./data-directory.ts";

export const auditVerify = defineCommand({
  name: "audit verify",
  summary: "check that the audit log is whole, record by record",
  about: [
    "Reads the files of a stopped server, recomputes every link of the hash chain, and says where it first breaks. Changes nothing.",
    "Use it after restoring a backup, before an audit, and whenever somebody may have touched the files. A running server holds the directory: stop it first.",
    "A chain cannot see that its own end was cut off. With --witness it is held against what somebody else kept: a position of gatehouse audit witness, or all the heads of a host, which gatehouse-agent witness show --json prints there. Heads of before the log was pruned cannot be compared, and are counted.",
  ],
  examples: [
    { why: "Check the log of the server in ./data", run: "gatehouse audit verify" },
    {
      why: "Check a restored backup whose key is elsewhere",
      run: "gatehouse audit verify --data-dir /restore --master-key-file /run/secrets/master.key",
    },
    { why: "Also find an end that was cut off", run: "gatehouse audit verify --data-dir /data --witness witness.json" },
    { why: "Hold it against what a host saw", run: "gatehouse audit verify --data-dir /data --witness web-1.json" },
  ],
  flags: {
    ...directoryFlags,
    witness: {
      value: "FILE",
      about: "What somebody else kept of this chain: a signed position, or the file of a host.",
    },
  },
  run: async (given, surroundings) => {
    const where = await findDataDirectory(given, surroundings);
    const file = given.witness === undefined ? undefined : await readWitness(given.witness);
    const { verifyDataDirectory } = await loadStore();
    const witness = file?.t === "host" ? file.heads : file?.witness;
    return describe(where.directory, await verifyDataDirectory({ ...where, witness }), file);
  },
});

async function readWitness(file: string): Promise<WitnessFile> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new UsageError(`--witness: ${error.message}`, "audit verify");
  });
  const { parseWitness } = await loadStore();
  try {
    return readWitnessText(text, parseWitness);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw fault("store.malformed", `${file} is not a witness file`, { cause });
  }
}

function describe(directory: string, report: DirectoryReport, file: WitnessFile | undefined): Report {
  const { ok, floor, head, records, broken, witnessed, pruned = 0, unfinishedBytes } = report;
  const node = file?.t === "host" ? file.node : undefined;
  const lines =
    broken === undefined
      ? [`The audit log in ${directory} is whole: ${records} records.`]
      : [
          `The audit log in ${directory} is broken at position ${broken.position}, in ${broken.file}.`,
          `  expected ${broken.expected}`,
          `  found    ${broken.found}`,
          "  Restore the four files from one backup, or look at: gatehouse state recover",
        ];
  lines.push(`  from     position ${floor.position + 1}${floor.position === 0 ? "" : "; older records were pruned"}`);
  lines.push(`  to       position ${head.position}, link ${head.link}`);
  if (witnessed !== undefined && !ok)
    lines.push(`  witness  ${node ?? "the file"} knows better from position ${witnessed.position} on`);
  if (pruned > 0) lines.push(`  pruned   ${pruned} of its heads are older than the log goes back`);
  if (witnessed !== undefined && ok) lines.push(`  witness  agrees at position ${witnessed.position}`);
  if (unfinishedBytes > 0) {
    lines.push(`  end      ${unfinishedBytes} bytes that were never acknowledged; the next start cuts them off`);
  }
  const json = {
    directory,
    floor: { ...floor },
    head: { ...head },
    records,
    unfinishedBytes,
    ...(broken === undefined ? {} : { broken: { ...broken } }),
    ...(witnessed === undefined ? {} : { witnessed: { ...witnessed } }),
    ...(node === undefined ? {} : { node }),
    ...(pruned === 0 ? {} : { prunedHeads: pruned }),
  };
  return { ok, lines, json };
}
