/** Splits an id so that its end is never lost: the head may be cut with an ellipsis, the tail may not. */
export function splitMiddle(text: string, tail = 6): { head: string; tail: string } {
  const glyphs = Array.from(text);
  if (glyphs.length <= tail * 2) return { head: "", tail: text };
  return { head: glyphs.slice(0, -tail).join(""), tail: glyphs.slice(-tail).join("") };
}

/** A fixed length: for places where CSS cannot measure, such as a title or a file name. */
export function truncateMiddle(text: string, most: number): string {
  const glyphs = Array.from(text);
  if (glyphs.length <= most) return text;
  if (most <= 1) return "…";
  const tail = Math.ceil((most - 1) / 2);
  const head = most - 1 - tail;
  return `${glyphs.slice(0, head).join("")}…${glyphs.slice(-tail).join("")}`;
}

/** Groups of four, as people read digests to each other. */
export function groups(text: string, size = 4): string[] {
  const glyphs = Array.from(text);
  return Array.from({ length: Math.ceil(glyphs.length / size) }, (_, at) =>
    glyphs.slice(at * size, (at + 1) * size).join(""),
  );
}
