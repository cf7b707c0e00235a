import { type Page, pages } from "../../apps/dashboard/src/page-table.ts";

/** A page whose path has a parameter needs samples of it; the compiler asks for those of a new page. */
type Open = Extract<Page["path"], `${string}$${string}`>;
export type Samples = Readonly<Record<Open, Readonly<Record<string, string>>>>;

/**
 * Every page of somebody who is signed in, by a name for it: at its own address, or at those of its samples. A page that is
 * added to the dashboard's table is in it.
 */
export function pageAddresses(samples: Samples): Readonly<Record<string, string>> {
  const framed = pages.filter(({ access }) => access !== "anybody");
  return Object.fromEntries(
    framed.flatMap(({ path, file }) =>
      isOpen(path) ? Object.entries(samples[path]) : [[nameOf(file), path] satisfies [string, string]],
    ),
  );
}

function isOpen(path: Page["path"]): path is Open {
  return path.includes("$");
}

function nameOf(file: string): string {
  return file
    .replace(/Page$/, "")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-")
    .toLowerCase();
}
