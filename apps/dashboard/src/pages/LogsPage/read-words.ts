/** What somebody typed: what is searched for, and what is only coloured. */
export interface ReadWords {
  /** As the server takes it. */
  readonly query: string;
  readonly words: readonly string[];
  readonly marks: readonly string[];
}

/** `timeout "timed out" mark:upstream`: words and phrases, each once; an open quote ends with the text. */
export function readWords(text: string): ReadWords {
  const words = new Set<string>();
  const marks = new Set<string>();
  let isMark = false;
  for (const [part] of text.matchAll(/"[^"]*"?|[^\s"]+/g)) {
    const isPhrase = part.startsWith('"');
    const rest: string = isMark || isPhrase || !part.startsWith(prefix) ? part : part.slice(prefix.length);
    const marked: boolean = isMark || rest !== part;
    const word = rest.replaceAll('"', "").trim();
    // The phrase behind `mark:` comes as the next part.
    isMark = marked && rest === "";
    if (word !== "") (marked ? marks : words).add(word);
  }
  const query = [...words].map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(" ");
  return { query, words: [...words], marks: [...marks] };
}

const prefix = "mark:";
