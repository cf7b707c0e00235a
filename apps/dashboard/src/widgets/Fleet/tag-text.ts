const tagForm = /^[a-z0-9][a-z0-9._-]{0,31}$/;
const mostTags = 16;

/** Tags as somebody typed them, between commas or spaces; or what is wrong with them. */
export function parseTagText(text: string): { readonly tags: string[] } | { readonly wrong: string } {
  const tags = [...new Set(text.split(/[\s,]+/).filter(Boolean))];
  const bad = tags.find((tag) => !tagForm.test(tag));
  if (bad !== undefined)
    return { wrong: `${bad} is no tag: use 1 to 32 of a-z 0-9 . _ - and begin with a letter or digit.` };
  return tags.length > mostTags ? { wrong: `A node has at most ${mostTags} tags.` } : { tags };
}
