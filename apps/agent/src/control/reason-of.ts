import { isFault } from "@gatehouse/contract/faults";

/** What is told of a failure: a fault by its name, and whatever else is a defect. */
export function reasonOf(error: unknown): { readonly code: string; readonly detail: string } {
  if (isFault(error)) return { code: error.code, detail: error.detail };
  return { code: "defect", detail: error instanceof Error ? `${error.name}: ${error.message}` : "unknown" };
}
