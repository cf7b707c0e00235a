import { approverKeyId, type NewPerson, parseSshKeyLine, sshFingerprint } from "@gatehouse/approval/verify";
import { fault, type FaultCode, isFault } from "@gatehouse/contract/faults";
import { visibleText } from "@gatehouse/contract";

/** Somebody whom root of this host names, by one key. */
export interface Approver extends NewPerson {
  readonly keyId: string;
  /** As `ssh-keygen -l` prints it. */
  readonly fingerprint: string;
}

/** What a person's name may be in a trust file. */
const personName = visibleText(64);

/** Reads lines of `.pub` files. A person is called as the key's comment says, or `approver-N` where that can be no name. */
export function readApprovers(lines: readonly string[]): Approver[] {
  const taken = new Set<string>();
  return lines.map((line, index) => {
    const { blob, comment } = parseLine(line, index);
    const isUsable = personName.safeParse(comment).success && !taken.has(comment);
    const name = isUsable ? comment : freeName(taken, index + 1);
    taken.add(name);
    return { name, keys: [{ blob }], keyId: approverKeyId(blob), fingerprint: sshFingerprint(blob) };
  });
}

function parseLine(line: string, index: number): ReturnType<typeof parseSshKeyLine> {
  try {
    return parseSshKeyLine(line);
  } catch (error) {
    if (!isFault(error)) throw error;
    throw fault(error.code as FaultCode, `approver ${index + 1}: ${error.detail}`, { cause: error });
  }
}

function freeName(taken: ReadonlySet<string>, from: number): string {
  const name = `approver-${from}`;
  return taken.has(name) ? freeName(taken, from + 1) : name;
}
