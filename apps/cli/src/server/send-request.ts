import { fault } from "@gatehouse/contract";

export interface Reception {
  readonly status: number;
  readonly headers: Headers;
  /** The media type alone, in small letters. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Larger than any answer of the API; whatever is larger is no answer of it. */
const answerLimit = 16 * 1024 * 1024;

/** Sends one request and takes the whole answer, within a time and a size. Follows nothing. */
export async function sendRequest(url: URL, init: RequestInit, limitMs: number): Promise<Reception> {
  try {
    const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(limitMs) });
    const { status, headers } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      // Followed, it would carry the credential to an address that nobody named.
      throw unexpected(url, `it redirects to ${headers.get("location") ?? "nowhere"}`);
    }
    const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
    return { status, headers, type, bytes: await readWhole(url, response) };
  } catch (error) {
    throw findTransportFault(url, error, limitMs) ?? error;
  }
}

export function unexpected(url: URL, what: string): Error {
  return fault("cli.answer_unexpected", `${url.origin} does not answer as Gatehouse does: ${what}`);
}

async function readWhole(url: URL, response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > answerLimit) throw unexpected(url, `its answer is larger than ${answerLimit} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** fetch fails with a TypeError whatever went wrong on the way; why stands in its cause. */
function findTransportFault(url: URL, error: unknown, limitMs: number): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "TimeoutError") {
    return fault("cli.server_unreachable", `${url.origin} did not answer within ${limitMs / 1_000} s`);
  }
  if (error instanceof TypeError && error.cause instanceof Error) {
    return fault("cli.server_unreachable", `${url.origin} gave no answer`, { cause: reasonOf(error.cause) });
  }
  return undefined;
}

/** Several addresses that failed are one error without words of its own. */
function reasonOf(cause: Error): unknown {
  return cause instanceof AggregateError && cause.message === "" ? cause.errors[0] : cause;
}
