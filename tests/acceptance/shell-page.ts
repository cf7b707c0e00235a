import { ask } from "./ask.ts";

/** The addresses a browser that got the shell asks for, at once or on some page: whatever a file of ours names. */
export async function filesOfShell(baseUrl: string): Promise<string[]> {
  const { text } = await ask(baseUrl, "/");
  const tags = text.match(/<(?:script|link|img)\b[^>]*>/g) ?? [];
  const found = new Set(tags.flatMap((tag) => /(?:src|href)="([^"]+)"/.exec(tag)?.[1] ?? []));
  for (const path of found) {
    if (!/\.(?:js|css)$/.test(path)) continue;
    const { text: inside } = await ask(baseUrl, path);
    for (const [, name] of inside.matchAll(/["'`(](?:\/?assets\/|\.\/)([a-z0-9._-]+\.[0-9a-f]{12}\.\w+)["'`)]/g)) {
      found.add(`/assets/${name}`);
    }
  }
  return [...found];
}
