const tagForm = /^[a-z0-9][a-z0-9._-]{0,31}$/;
const mostTags = 16;

type ReadTags = { readonly tags: string[] } | { readonly wrong: string };

/** The tags of a node as somebody typed them; or what is wrong with them. */
export function parseTagText(text: string): ReadTags {
  const read = readTags(text);
  return "tags" in read && read.tags.length > mostTags ? { wrong: `A node has at most ${mostTags} tags.` } : read;
}

/** As many as there are, between commas or spaces. */
export function readTags(text: string): ReadTags {
  const tags = [...new Set(text.split(/[\s,]+/).filter(Boolean))];
  const bad = tags.find((tag) => !tagForm.test(tag));
  if (bad !== undefined)
    return { wrong: `${bad} is no tag: use 1 to 32 of a-z 0-9 . _ - and begin with a letter or digit.` };
  return { tags };
}
