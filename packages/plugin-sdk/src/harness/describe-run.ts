import type { HarnessRun } from "./harness-run.ts";

/** A run as lines to read: each call with its answer, what the plugin said on standard error, and the verdict. */
export function describeRun(run: HarnessRun): string[] {
  const width = Math.max(0, ...run.calls.map(({ method }) => method.length));
  const calls = run.calls.map(({ method, params, answer }) => {
    const said = "refused" in answer ? `refused: ${answer.refused}` : short(answer.result);
    return `  ${method.padEnd(width)}  ${short(params)} → ${said}`;
  });
  const stderr =
    run.stderr === ""
      ? []
      : run.stderr
          .trimEnd()
          .split("\n")
          .map((line) => `  | ${line}`);
  const verdict = run.trouble === undefined ? "ok" : `failed: ${run.trouble}`;
  const figures = [
    `${run.ms.toFixed(0)} ms`,
    // Memory is looked at ten times a second; what ended sooner was not seen.
    ...(run.peakMemoryBytes === 0 ? [] : [`${(run.peakMemoryBytes / 1024 / 1024).toFixed(0)} MiB`]),
    `${run.calls.length} broker ${run.calls.length === 1 ? "call" : "calls"}`,
  ].join(", ");
  return [`${run.action}: ${verdict} (${figures})`, ...calls, ...stderr];
}

/** JSON escapes what would move a cursor; the rest of the control characters are not JSON's to escape. */
function short(value: unknown): string {
  const text = JSON.stringify(value).replace(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, "?");
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
