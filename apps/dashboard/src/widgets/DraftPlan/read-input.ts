/** What somebody typed as the input of a plan: a JSON value, or why it is none. */
export type Input = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

export function readInput(text: string): Input {
  if (text.trim() === "") return { ok: false, why: "Write what the plan is drawn up from, as JSON." };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    const at = /at position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    return {
      ok: false,
      why: `This is not JSON${at === undefined ? "" : `: look at line ${lineOf(text, Number(at))}`}.`,
    };
  }
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}
