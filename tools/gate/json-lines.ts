import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** Adds a line of JSON to the file that an environment variable names; unset, nothing is written. */
export function appendLine(variable: string, value: object): void {
  const file = process.env[variable];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(value)}\n`);
}

/** All lines of a file that `appendLine` wrote; none when nobody has written one yet. */
export function readLines<T>(file: string): T[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as T);
}
