import { ask } from "./ask.ts";

/** The addresses a browser that got the shell asks for next. */
export async function filesOfShell(baseUrl: string): Promise<string[]> {
  const { text } = await ask(baseUrl, "/");
  const tags = text.match(/<(?:script|link|img)\b[^>]*>/g) ?? [];
  return tags.flatMap((tag) => /(?:src|href)="([^"]+)"/.exec(tag)?.[1] ?? []);
}
