/** An answer as it stood on the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export type Reading =
  | { readonly kind: "whole"; readonly answer: Answer; readonly rest: string }
  | { readonly kind: "partial" }
  | { readonly kind: "malformed"; readonly why: string };

/** Reads the first answer. `isBodiless` is for HEAD, whose answer has a length and no body. */
export function readAnswer(bytes: string, isBodiless: boolean): Reading {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return { kind: "partial" };
  const [statusLine = "", ...lines] = bytes.slice(0, end).split("\r\n");
  const [, code] = /^HTTP\/1\.1 ([1-5][0-9]{2}) [\x20-\x7e]+$/.exec(statusLine) ?? [];
  if (code === undefined) return { kind: "malformed", why: "status line" };
  const status = Number(code);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = "", value = ""] = /^([A-Za-z0-9-]+): ([\x20-\x7e]*)$/.exec(line) ?? [];
    if (name === "") return { kind: "malformed", why: "header line" };
    if (headers.has(name.toLowerCase())) return { kind: "malformed", why: `header ${name} twice` };
    headers.set(name.toLowerCase(), value);
  }
  const rest = bytes.slice(end + 4);
  if (status === 100) return readAnswer(rest, isBodiless);
  if (isBodiless || status === 204 || status === 304)
    return { kind: "whole", answer: { status, headers, body: "" }, rest };
  // A stream goes on; its head is all there is to judge.
  if (headers.get("content-type") === "text/event-stream") {
    return { kind: "whole", answer: { status, headers, body: "" }, rest: "" };
  }
  const length = headers.get("content-length");
  if (length === undefined || !/^[0-9]+$/.test(length)) return { kind: "malformed", why: "no length" };
  if (rest.length < Number(length)) return { kind: "partial" };
  const body = rest.slice(0, Number(length));
  return { kind: "whole", answer: { status, headers, body }, rest: rest.slice(Number(length)) };
}
