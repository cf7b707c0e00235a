import { readText } from "./repository.ts";

/** A row of `docs/contract.md`. */
export interface ContractRow {
  readonly section: string;
  readonly id: string;
  /** What holds it, or why nothing does yet: the last column. */
  readonly how: string;
  /** The tests that it names. */
  readonly tests: readonly NamedTest[];
}

/** A test, or a group of them, by its file and by the words that stand in the source as its name. */
export interface NamedTest {
  readonly file: string;
  readonly name: string;
}

export function readContractPage(): ContractRow[] {
  let section = "";
  const found: ContractRow[] = [];
  for (const line of readText("docs/contract.md").split("\n")) {
    section = /^#{2,3} (\d+(?:\.\d+)?) /.exec(line)?.[1] ?? section;
    const cells = /^\| (\d[\w.-]*) \| ([^|]+) \| ([^|]*) ?\|$/.exec(line);
    if (cells !== null) {
      const how = (cells[3] ?? "").trim();
      found.push({ section, id: cells[1] ?? "", how, tests: testsIn(how) });
    }
    // A row that the pattern cannot read would escape every check.
    else if (/^\| *\d/.test(line)) throw new Error(`docs/contract.md: cannot read the row ${line.slice(0, 60)}`);
  }
  return found;
}

export function isHeld({ how }: ContractRow): boolean {
  return how.startsWith("held");
}

/** What a row quotes: a file in backticks, then the test's name in double quotes. */
function testsIn(how: string): NamedTest[] {
  return [...how.matchAll(/`([\w./-]+\.test\.ts)` "([^"]+)"/g)].map((match) => ({
    file: match[1] ?? "",
    name: match[2] ?? "",
  }));
}
