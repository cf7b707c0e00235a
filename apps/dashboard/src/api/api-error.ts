import type { Problem } from "@gatehouse/contract/routes";

/** A refusal of the server, or that there was no answer: every error that leaves `src/api`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly todo: string | undefined;
  readonly requestId: string | undefined;
  /** When the same call may be tried again, in milliseconds of this browser's clock; for calls that came too often. */
  readonly retryAt: number | undefined;
  /** What the case says beside the fields that every problem has. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(status: number, problem: Partial<Problem>) {
    const { type: _type, status: _status, title, detail, code, requestId, todo, ...fields } = problem;
    super(detail ?? title ?? `the server answered ${status}`);
    this.status = status;
    this.code = code ?? "answer.unreadable";
    this.title = title ?? "The answer could not be read";
    this.detail = detail ?? this.message;
    this.todo = todo;
    this.requestId = requestId;
    this.fields = fields;
    const wait = fields["retryAfter"];
    this.retryAt = typeof wait === "number" && wait > 0 ? Date.now() + wait * 1_000 : undefined;
  }
}

export function isApiError(error: unknown, code?: string): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}
