import { useEffect, useRef, useState } from "react";
import { TextInput } from "../../ui/TextInput.tsx";

export type LaterInputProps = {
  type?: "search" | "text";
  list?: string;
  placeholder: string;
  /** Where no label stands beside it. */
  "aria-label"?: string;
  value: string;
  onValue: (text: string) => void;
};

/** Takes effect a moment after the last key, at once with Enter: a search per letter would only be thrown away. */
export function LaterInput({ value, onValue, ...rest }: LaterInputProps) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  const waiting = useRef<{ timer: number; text: string }>(undefined);
  // Another field may take effect in between; what it changed must not be undone by an older function.
  const latest = useRef(onValue);
  useEffect(() => {
    latest.current = onValue;
  });
  // The address changed by other means: back, or a cleared filter.
  if (value !== shown) {
    setShown(value);
    setText(value);
  }
  const settle = (): void => {
    const typed = waiting.current;
    if (typed === undefined) return;
    window.clearTimeout(typed.timer);
    waiting.current = undefined;
    latest.current(typed.text.trim());
  };
  // A sheet that closes takes the field with it; what was typed takes effect all the same.
  useEffect(() => () => settle(), []);
  const tell = (next: string, waitMs: number): void => {
    window.clearTimeout(waiting.current?.timer);
    waiting.current = { text: next, timer: window.setTimeout(settle, waitMs) };
  };
  return (
    <TextInput
      {...rest}
      value={text}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => {
        setText(event.target.value);
        tell(event.target.value, 350);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") tell(text, 0);
      }}
    />
  );
}
