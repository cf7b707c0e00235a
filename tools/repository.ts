import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "..");

/** Every file git knows or would add, that is on disk now, relative to the root. */
export function repositoryFiles(): string[] {
  const list = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
  const files = list.toString("utf8").split("\n");
  return files.filter((file) => file !== "" && existsSync(join(root, file)));
}

export function readText(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

/** Lines of a file that match, as `file:line: text`, for messages that can be clicked. */
export function findLines(file: string, pattern: RegExp): string[] {
  return readText(file)
    .split("\n")
    .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : []));
}
