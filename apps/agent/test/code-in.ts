import { isFault } from "@gatehouse/contract/faults";

/** The code of the refusal; `taken` where there is none. Anything else that is thrown is no refusal. */
export async function codeIn(judged: Promise<unknown>): Promise<string> {
  try {
    await judged;
    return "taken";
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
}
