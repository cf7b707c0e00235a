import { Fault } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract";

/** The sandbox's advice is for whoever runs a server. These are what it means at a desk. */
const advice: Readonly<Record<string, string>> = {
  "sandbox.runtime_directory_unfit":
    "Name another directory for temporary files in TMPDIR, on a mount that lets programs run.",
  "sandbox.too_weak": "Say --sandbox none to run it without one, if you trust the artifact as much as yourself.",
  "sandbox.launcher_failed": "Read the detail; the sandbox is the kernel's, and needs Linux.",
};

/** The same refusal, with what to do about it here; anything else as it is. */
export function adviseAtDesk(error: unknown): unknown {
  if (!isFault(error) || !Object.hasOwn(advice, error.code)) return error;
  const { kind, code, title, detail, fields, cause } = error;
  const todo = advice[error.code];
  return new Fault({ kind, code, title, detail, cause, ...(fields && { fields }), ...(todo && { todo }) });
}
