import { fault } from "@gatehouse/contract/faults";
import type { AskPerson } from "../host/ask-person.ts";
import type { Approver } from "./approvers.ts";

export interface ConfirmDeps {
  /** For root to read at once, before anything is asked. */
  readonly show: (line: string) => void;
  /** Absent where nobody can type. */
  readonly askPerson?: AskPerson | undefined;
}

/** So many characters are typed: enough that nobody passes over them, few enough to be read out. */
const typedLength = 8;

/**
 * Root has to have compared every key with what its owner says. A key that was taken from a page or a message is the one way by which
 * somebody else becomes the approver of a host. Throws `trust.fingerprint`.
 */
export function confirmApprovers(
  deps: ConfirmDeps,
  approvers: readonly Approver[],
  fingerprints: readonly string[],
): void {
  for (const { name, fingerprint } of approvers) deps.show(`${name}: ${fingerprint}`);
  if (fingerprints.length > 0) checkGiven(approvers, fingerprints);
  if (deps.askPerson !== undefined) for (const approver of approvers) askFor(deps.askPerson, approver);
  else if (fingerprints.length === 0) {
    throw fault(
      "trust.fingerprint",
      "nobody can type here: give --fingerprint for each key, as its approver reads it out",
    );
  }
}

/** Each key has its fingerprint among those that were given, and none was given for another key. */
function checkGiven(approvers: readonly Approver[], fingerprints: readonly string[]): void {
  const found = approvers.find(({ fingerprint }) => !fingerprints.includes(fingerprint));
  if (found !== undefined) {
    throw fault("trust.fingerprint", `${found.name}: ${found.fingerprint} is not among those of --fingerprint`);
  }
  const known = new Set(approvers.map(({ fingerprint }) => fingerprint));
  if (fingerprints.some((fingerprint) => !known.has(fingerprint))) {
    throw fault("trust.fingerprint", "a --fingerprint belongs to none of the keys that were given");
  }
}

function askFor(askPerson: AskPerson, { name, fingerprint }: Approver): void {
  const typed = askPerson(
    `Ask ${name} for the fingerprint over another way than this one, and type its last ${typedLength} characters: `,
  );
  if (typed?.trim() !== fingerprint.slice(-typedLength)) {
    throw fault("trust.fingerprint", `what was typed is not the end of ${fingerprint}; nothing was written`);
  }
}
