const plain = /^\p{ASCII}*$/u;
const plainWord = /[a-z0-9]+/g;
/** Marks belong to the letter before them: many scripts write vowels as marks. */
const anyWord = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** The words of a text, in lower case, in their order and as often as they stand there. Whatever is searched here is cut by this. */
export function cutWords(text: string): readonly string[] {
  return (isPlainText(text) ? text.toLowerCase().match(plainWord) : fold(text).match(anyWord)) ?? [];
}

/** Of a text of letters without marks, digits and signs, which any program cuts alike. */
export function isPlainText(text: string): boolean {
  return plain.test(text);
}

/** Composed and decomposed letters are the same letter, and so are the two small sigmas. */
function fold(text: string): string {
  return text.toLowerCase().normalize("NFC").replaceAll("ς", "σ");
}
