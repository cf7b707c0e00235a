/** One HTTP answer as it stood on the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  json(): Record<string, unknown>;
}

/** The whole answers at the start of the bytes. What is not HTTP at all is an error: that is what is tested. */
export function readAnswers(bytes: Buffer, isHead = false): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) break;
    const { status, headers } = readHead(rest.subarray(0, end).toString("latin1"));
    const hasBody = !isHead && status !== 100 && status !== 101 && status !== 204 && status !== 304;
    const length = hasBody ? Number(headers.get("content-length")) : 0;
    if (rest.length < end + 4 + length) break;
    const body = rest.subarray(end + 4, end + 4 + length).toString("utf8");
    rest = rest.subarray(end + 4 + length);
    // 100 Continue is no answer yet.
    if (status !== 100)
      answers.push({ status, headers, body, json: () => JSON.parse(body) as Record<string, unknown> });
  }
  return answers;
}

function readHead(text: string): { status: number; headers: Map<string, string> } {
  const [statusLine = "", ...lines] = text.split("\r\n");
  const [, code] = /^HTTP\/1\.1 (\d{3}) .+$/.exec(statusLine) ?? [];
  if (code === undefined) throw new Error(`not a status line: ${statusLine.slice(0, 80)}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([A-Za-z-]+): (.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`not a header: ${line.slice(0, 80)}`);
    if (headers.has(name.toLowerCase())) throw new Error(`a header twice: ${name}`);
    headers.set(name.toLowerCase(), value);
  }
  return { status: Number(code), headers };
}
