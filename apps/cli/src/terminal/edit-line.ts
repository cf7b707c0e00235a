/** A line that is being typed. `rest` is what was typed after its end, for the next question. */
export type TypedLine =
  | { readonly state: "open"; readonly text: string }
  | { readonly state: "entered"; readonly text: string; readonly rest: string }
  | { readonly state: "cancelled" };

/**
 * What a line becomes by the keys of a raw terminal, which does nothing with them itself. Keys that make no character
 * (arrows, function keys, other controls) do nothing: in a line that nobody sees, what they would write is a riddle.
 */
export function editLine(text: string, typed: string): TypedLine {
  const characters = Array.from(text);
  const keys = typed.match(key) ?? [];
  for (const [index, pressed] of keys.entries()) {
    switch (pressed) {
      case "\r":
      case "\n":
      case "\r\n":
        return { state: "entered", text: characters.join(""), rest: keys.slice(index + 1).join("") };
      case ctrl("C"):
        return { state: "cancelled" };
      case ctrl("D"):
        if (characters.length === 0) return { state: "cancelled" };
        break;
      case "\b":
      case "\u007f":
        characters.pop();
        break;
      case ctrl("U"):
        characters.length = 0;
        break;
      default:
        if (!/^\p{Cc}/u.test(pressed)) characters.push(pressed);
    }
  }
  return { state: "open", text: characters.join("") };
}

/** One key: an escape sequence (CSI, SS3, or Escape with a letter), a line end, or one character. */
const key = /\u001b\[[0-?]*[ -/]*[@-~]|\u001bO.|\u001b.?|\r\n|./gsu; // oxlint-disable-line no-control-regex -- Keys are control characters.

function ctrl(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) - 64);
}
