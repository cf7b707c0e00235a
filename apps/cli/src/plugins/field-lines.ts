const width = 12;

/** One line of a description: what it is, then what it says. Without a name it goes on with the line above. */
export function fieldLine(name: string, text: string): string {
  return `  ${name.padEnd(width)}  ${text}`.trimEnd();
}

export function listOr(texts: readonly string[], none: string): string {
  return texts.length === 0 ? none : texts.join(" ");
}
