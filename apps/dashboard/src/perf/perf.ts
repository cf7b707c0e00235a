/** One call of the API as it was felt here. */
export interface TimedCall {
  readonly name: string;
  readonly ms: number;
  /** 0 when no answer came. */
  readonly status: number;
  readonly at: string;
  readonly requestId: string | undefined;
}

declare global {
  interface Window {
    /** The last slow calls, for whoever opens the console to ask why the page was slow. */
    __latticePerf?: TimedCall[];
  }
}

const slowMs = 1_000;
const kept = 50;

/** There is a list to look at before anything was slow: whoever asks must not take its absence for an answer. */
export function beginCalls(place: { __latticePerf?: TimedCall[] }): void {
  place.__latticePerf ??= [];
}

if (typeof window !== "undefined") beginCalls(window);

/** Every call is told to the console; a slow one aloud, and it is kept (contract 5.2). */
export function tellCall(call: TimedCall, place: { __latticePerf?: TimedCall[] } = window): void {
  const line = `${call.name} ${call.status === 0 ? "no answer" : call.status} ${Math.round(call.ms)} ms`;
  if (call.ms < slowMs) {
    console.debug(line);
    return;
  }
  console.warn(`slow: ${line}`, call.requestId ?? "");
  const calls = (place.__latticePerf ??= []);
  calls.push(call);
  if (calls.length > kept) calls.splice(0, calls.length - kept);
}

/** What went wrong without anybody having asked for it: said once, here and nowhere else. */
export function tellOddity(text: string, ...more: readonly unknown[]): void {
  console.warn(text, ...more);
}
