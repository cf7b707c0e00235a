/** How wide the help of our programs is. */
export const helpColumns = 100;

/** Breaks at spaces only: a word that is longer than a line stays whole, so that it can be copied. */
export function wrapText(text: string, indent = ""): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    const longer = line === indent ? indent + word : `${line} ${word}`;
    if (longer.length > helpColumns && line !== indent) {
      lines.push(line);
      line = indent + word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
