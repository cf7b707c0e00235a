import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RawAnswer } from "./raw-http.ts";
import { repository } from "./server.ts";

interface Entry {
  readonly file: string;
}

const directory = join(repository, "dist/site");
const map = JSON.parse(readFileSync(join(directory, "map.json"), "utf8")) as {
  shell: Entry;
  themeInit: Entry;
  assets: Record<string, Entry>;
};
const bytesOf = ({ file }: Entry) => readFileSync(join(directory, file));
const shell = bytesOf(map.shell);
const themeInit = bytesOf(map.themeInit);
const assets = new Map(Object.entries(map.assets).map(([name, entry]) => [`/assets/${name}`, bytesOf(entry)]));

export const assetPaths: readonly string[] = [...assets.keys()];

/**
 * Which of the files that may be served an answer is: decided by comparing bytes with what the build made. `other` is
 * anything that was answered with success and is none of them.
 */
export function fileIn({
  status,
  body,
}: RawAnswer): "refused" | "shell" | "theme-init" | "other" | `/assets/${string}` {
  if (status < 200 || status >= 300) return "refused";
  if (body.equals(shell)) return "shell";
  if (body.equals(themeInit)) return "theme-init";
  for (const [path, bytes] of assets) if (body.equals(bytes)) return path as `/assets/${string}`;
  return "other";
}
