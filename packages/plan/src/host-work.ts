/** When a host starts a program for an operation, in the words of a reviewer. */
export const workSteps = {
  state: "whether the host is as the plan says",
  validate: "whether it can be made",
  snapshot: "what is there now",
  prove: "whether that could be put back",
  apply: "the change",
  check: "whether it is made",
  read: "what is told with the result",
  restore: "only to take it back",
  boot: "at every boot, once it is confirmed",
} as const;

export type WorkStep = keyof typeof workSteps;

/** What a host does for one operation: what it writes, and every program that it may start. */
export interface HostWork {
  /** Without what is there now, which nobody knows before. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** In their order. The first word of each is the program. */
  readonly programs: readonly { readonly step: WorkStep; readonly argv: readonly string[] }[];
}

/** Where a host keeps what programs are to read. */
export interface HostPlaces {
  /** Of one task. */
  readonly directory: string;
  /** Tables that were confirmed, for the next boot. */
  readonly tables: string;
  /** Keys of WireGuard interfaces, and the interfaces that were confirmed, for the next boot. */
  readonly wireguard: string;
}

/** On every host; TASK stands for the id of the task. */
export const usualPlaces: HostPlaces = {
  directory: "/var/lib/gatehouse/snapshots/TASK",
  tables: "/var/lib/gatehouse/tables",
  wireguard: "/var/lib/gatehouse/wireguard",
};

/** The same below the words of an operation wherever it is read: in `helper explain` of an agent and in `plan show`. */
export function workLines(work: HostWork): string[] {
  return [
    ...work.files.flatMap(({ path, text }) => [
      `     writes ${path}:`,
      ...linesOf(text).map((line) => `       ${line}`),
    ]),
    ...(work.programs.length > 0 ? ["     starts:"] : []),
    ...work.programs.map(({ step, argv }) => `       ${argv.map(showWord).join(" ")}  # ${workSteps[step]}`),
  ];
}

/** Where a word ends is seen: one with a blank in it stands in quotes. No word has a quote: the schemas let none through. */
function showWord(word: string): string {
  return word.includes(" ") ? `'${word}'` : word;
}

/** What follows the last line feed is a line only when something is there. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
