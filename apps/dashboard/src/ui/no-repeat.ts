import type { KeyboardEvent } from "react";

/**
 * A key that stays down presses once. What it pressed may have moved the focus to another button meanwhile, and the
 * presses that a keyboard goes on sending were meant for neither.
 */
export function dropRepeats(event: KeyboardEvent): void {
  // A button is pressed by Space when the key comes up; a held Enter in a text of several lines is a line for each.
  if (event.repeat && event.key === "Enter" && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault();
}
