import { useEffect, useRef, useState } from "react";

export type CopyState = "idle" | "copied" | "failed";

/** Copies text and says for two seconds how it went. */
export function useCopy(text: string): [CopyState, () => void] {
  const [state, setState] = useState<CopyState>("idle");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const say = (next: CopyState) => {
    setState(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState("idle"), 2000);
  };
  const copy = () => {
    write(text).then(
      () => say("copied"),
      () => say("failed"),
    );
  };
  return [state, copy];
}

// The clipboard object is missing on plain http, where a first look at a new server often happens.
async function write(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error("no clipboard here");
  await navigator.clipboard.writeText(text);
}
