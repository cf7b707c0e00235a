import { basename, delimiter, dirname } from "node:path";

export interface ProgramCall {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The file that was run. */
  readonly file: string | undefined;
}

/** What npm says that it was asked for, and what a person types for it. */
const throughNpm: Readonly<Record<string, string>> = { gatehouse: "npm run gatehouse --", npx: "npx gatehouse" };

/** How this program is called where it was called: the beginning of a line that can be typed there. */
export function calledAs({ environment, file = "" }: ProgramCall): string {
  const npm = throughNpm[environment["npm_lifecycle_event"] ?? ""];
  if (npm !== undefined) return npm;
  const isOnPath = (environment["PATH"] ?? "").split(delimiter).includes(dirname(file));
  if (basename(file) !== "gatehouse") return "gatehouse";
  return isOnPath ? "gatehouse" : file;
}

/** A hint whose commands can be typed where it is shown. */
export function asCalled(hint: string, name: string): string {
  return hint.replaceAll(/(^|[\s`])gatehouse ([a-z-])/g, (_, before, next) => `${before}${name} ${next}`);
}
