import { useEffect, useState } from "react";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { waitWords } from "./wait-words.ts";

/** Counts down to the moment when the same call is taken again. */
export function TryAgain({ at }: { readonly at: number }) {
  const [first] = useState(() => at - Date.now());
  const [left, setLeft] = useState(first);
  useEffect(() => {
    const timer = window.setInterval(() => setLeft(at - Date.now()), 250);
    return () => window.clearInterval(timer);
  }, [at]);
  if (left <= 0) return "You can try again now.";
  return (
    <>
      {/* Read out once, and not every second. */}
      <VisuallyHidden>Try again in {waitWords(first)}.</VisuallyHidden>
      <span aria-hidden="true">Try again in {waitWords(left)}.</span>
    </>
  );
}
