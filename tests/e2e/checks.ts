/** Names what was looked at and keeps what was found. A check that throws has failed, and the next one still runs. */
export class Checks {
  passed = 0;
  failed = 0;
  readonly #only: string | undefined;

  constructor(only: string | undefined) {
    this.#only = only;
  }

  /** Whether any of these would run; for whoever has to start a server first. */
  wants(...names: readonly string[]): boolean {
    return this.#only === undefined || names.some((name) => name.includes(this.#only ?? ""));
  }

  /**
   * What the work gives back is shown beside the name: a figure, or nothing. A browser stumbles now and then on a busy
   * machine: what fails is tried once more, both are shown, and what fails twice is a defect. The work hears which try it is:
   * what the first one made is still there.
   */
  async run(name: string, work: (isSecond: boolean) => Promise<string | void>): Promise<void> {
    if (!this.wants(name)) return;
    const first = await attempt(name, () => work(false));
    const passed = first || (await attempt(`${name}, tried again`, () => work(true)));
    if (passed) this.passed += 1;
    else this.failed += 1;
  }
}

async function attempt(name: string, work: () => Promise<string | void>): Promise<boolean> {
  const started = performance.now();
  try {
    const said = await work();
    console.log(`ok     ${name}${told(said)} ${seconds(started)}`);
    return true;
  } catch (error) {
    console.log(
      `FAILED ${name} ${seconds(started)}\n${indented(error instanceof Error ? error.message : String(error))}`,
    );
    return false;
  }
}

function told(said: string | void): string {
  return said === undefined ? "" : `: ${said}`;
}

function seconds(started: number): string {
  return `(${((performance.now() - started) / 1_000).toFixed(1)} s)`;
}

function indented(text: string): string {
  return text
    .split("\n")
    .slice(0, 14)
    .map((line) => `         ${line}`)
    .join("\n");
}
