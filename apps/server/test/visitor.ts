import { Agent, type IncomingMessage, request } from "node:http";
import type { Problem } from "@gatehouse/contract/routes";
import { expect } from "vitest";

export const ownerPassword = "seven lazy otters";

export interface Answered<Body = unknown> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
  /** The code of a problem; undefined for an answer that is none. */
  readonly code: string | undefined;
  /** The body as it came. */
  readonly text: string;
}

/** One visitor: what they send with every request, and the cookie they were given last. */
export class Visitor {
  cookie: string | undefined;
  bearer: string | undefined;
  readonly #url: string;
  readonly #secrets: Set<string>;

  constructor(url: string, secrets: Set<string>) {
    this.#url = url;
    this.#secrets = secrets;
  }

  async call<Body = unknown>(
    method: string,
    path: string,
    more: {
      readonly body?: unknown;
      /** In the place of a body in JSON. */
      readonly bytes?: Uint8Array;
      readonly headers?: Record<string, string>;
    } = {},
  ): Promise<Answered<Body>> {
    const headers: Record<string, string> = { "Sec-Fetch-Site": "same-origin", ...more.headers };
    if (this.cookie !== undefined) headers["Cookie"] = this.cookie;
    if (this.bearer !== undefined) headers["Authorization"] = `Bearer ${this.bearer}`;
    const body = more.bytes ?? (more.body === undefined ? undefined : JSON.stringify(more.body));
    if (body !== undefined)
      headers["Content-Type"] = typeof body === "string" ? "application/json" : "application/octet-stream";
    const { status, headers: answered, text } = await send(`${this.#url}${path}`, { method, headers, body });
    const set = answered.get("set-cookie")?.split(";")[0];
    if (set !== undefined) {
      const value = set.slice(set.indexOf("=") + 1);
      if (value !== "") this.#secrets.add(value);
      this.cookie = value === "" ? undefined : set;
    }
    const type = answered.get("content-type") ?? "";
    const data = (type.includes("json") && text !== "" ? JSON.parse(text) : text) as Body;
    const code = type.startsWith("application/problem+json") && text !== "" ? (data as Problem).code : undefined;
    return { status, body: data, headers: answered, code, text };
  }

  async signIn(username = "admin", password = ownerPassword): Promise<this> {
    this.#secrets.add(password);
    const answer = await this.call("POST", "/api/auth/login", { body: { username, password } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return this;
  }
}

const connections = new Agent({ keepAlive: true });

interface Sent {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | undefined;
}

/** One request over a kept connection: `fetch` costs three times as much, and some tests make thousands. */
function send(
  url: string,
  { method, headers, body }: Sent,
): Promise<{ status: number; headers: Headers; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: connections }, (response) => {
      readText(response).then((text) => {
        const head = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        resolve({ status: response.statusCode ?? 0, headers: new Headers(head), text });
      }, reject);
    });
    asked.once("error", reject);
    asked.end(body);
  });
}

/** Of a stream, which never ends by itself, nothing is read. */
async function readText(response: IncomingMessage): Promise<string> {
  if (response.headers["content-type"]?.startsWith("text/event-stream") === true) {
    response.destroy();
    return "";
  }
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk as string;
  return text;
}
