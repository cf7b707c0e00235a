/** What sort of refusal a fault is. The edge turns a kind into a status; nothing else needs to know HTTP. */
export type FaultKind =
  | "malformed"
  | "unauthenticated"
  | "forbidden"
  | "unknown"
  | "method"
  | "timeout"
  | "conflict"
  | "precondition"
  | "too_large"
  | "unsupported"
  | "misdirected"
  | "failed"
  | "upgrade"
  | "limited"
  | "header_too_large"
  | "internal"
  | "damaged"
  | "unavailable"
  | "full"
  | "startup";

export interface FaultInit {
  kind: FaultKind;
  /** Stable and dotted, for programs: `store.entry_too_large`. */
  code: string;
  /** What the class of refusal is called, the same for every case of it. */
  title: string;
  /** What was expected and what was found, for the person who reads it. */
  detail: string;
  /** What to do about it. */
  todo?: string;
  /** Fields of the case, shown beside the detail. Never secrets. */
  fields?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/** A planned refusal. Everything else that is thrown is a defect and is answered with a bare 500. */
export class Fault extends Error {
  readonly kind: FaultKind;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly todo: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(init: FaultInit) {
    super(`${init.code}: ${init.detail}`, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = "Fault";
    this.kind = init.kind;
    this.code = init.code;
    this.title = init.title;
    this.detail = init.detail;
    this.todo = init.todo;
    this.fields = init.fields ?? {};
  }
}
