import type { JsonObject } from "@gatehouse/base";
import type { ToldStep } from "../src/control/follow-journal.ts";
import type { AskHelper, HelperVerbName } from "../src/local/ask-helper.ts";

interface Row {
  readonly step?: ToldStep;
  readonly signed?: string;
}

/** The helper's journal and probe as a test sets them, and everything that was asked about them. */
export class FakeChanges {
  readonly asked: { readonly verb: HelperVerbName; readonly fields: JsonObject }[] = [];
  open: string | null = null;
  /** In base64url. */
  probe = "";
  /** Throws, waits or answers in place of the helper. */
  before: (verb: HelperVerbName, fields: JsonObject) => Promise<JsonObject | undefined> = async () => undefined;
  readonly #pageSize: number;
  #rows: readonly Row[] = [];

  constructor(pageSize = 100) {
    this.#pageSize = pageSize;
  }

  readonly ask: AskHelper = async (verb, fields = {}) => {
    this.asked.push({ verb, fields });
    const instead = await this.before(verb, fields);
    if (instead !== undefined) return instead;
    if (verb === "journal.read") return this.#read(fields["after"] as number);
    return verb === "probe.get" ? { probe: this.probe } : {};
  };

  /** The next records of the journal; one without anything is about something else. */
  add(...rows: readonly Row[]): void {
    this.#rows = [...this.#rows, ...rows];
  }

  /** As on a host that was set up anew. */
  beginAnew(): void {
    this.#rows = [];
  }

  asks(verb: HelperVerbName): JsonObject[] {
    return this.asked.filter((each) => each.verb === verb).map(({ fields }) => fields);
  }

  #read(after: number): JsonObject {
    const last = Math.min(this.#rows.length, after + this.#pageSize);
    const page = this.#rows.slice(after, last).map((row, at) => ({ seq: after + at + 1, ...row }));
    const steps = page.flatMap(({ seq, step }) => (step === undefined ? [] : [{ seq, ...step }]));
    const outcomes = page.flatMap(({ seq, signed }) => (signed === undefined ? [] : [{ seq, signed }]));
    return { last, open: this.open, steps, outcomes };
  }
}

/** The helper of `ask`, with what is about changes taken from the fake. */
export function askWith(changes: FakeChanges, ask: AskHelper): AskHelper {
  const own: readonly HelperVerbName[] = ["journal.read", "probe.get", "probe.proof"];
  return async (verb, fields = {}) => {
    if (own.includes(verb)) return changes.ask(verb, fields);
    return (await changes.before(verb, fields)) ?? ask(verb, fields);
  };
}
