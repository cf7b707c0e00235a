import { once } from "node:events";
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as plain } from "node:http";
import { request as secure } from "node:https";

export interface Question {
  readonly method?: string;
  /** Sent as it is: nothing is decoded or folded, unlike with fetch. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The address to ask from. */
  readonly from?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** One request on a connection of its own, as a program without a browser's habits sends it. */
export async function ask(baseUrl: string, question: Question | string): Promise<Answer> {
  const { body, ...head } = typeof question === "string" ? { path: question } : question;
  const sent = beginAsking(baseUrl, head);
  sent.end(body);
  return answerTo(sent);
}

export function beginAsking(baseUrl: string, question: Omit<Question, "body">): ClientRequest {
  const { protocol, hostname, port } = new URL(baseUrl);
  const options = {
    host: hostname.replaceAll(/[[\]]/g, ""),
    port,
    method: question.method ?? "GET",
    path: question.path,
    headers: question.headers ?? {},
    agent: false,
    ...(question.from === undefined ? {} : { localAddress: question.from }),
  };
  return protocol === "https:" ? secure({ ...options, rejectUnauthorized: false }) : plain(options);
}

export async function answerTo(sent: ClientRequest): Promise<Answer> {
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text) as Record<string, unknown>;
    },
  };
}

/**
 * A request whose head has reached the server (it said 100 Continue) and whose body is still to come: a request under way
 * for as long as the test wants.
 */
export async function askHalf(baseUrl: string, headers: Readonly<Record<string, string>> = {}) {
  const body = '{"csp-report":{}}';
  const sent = beginAsking(baseUrl, {
    method: "POST",
    path: "/api/csp-reports",
    headers: {
      "Content-Type": "application/csp-report",
      "Content-Length": String(body.length),
      Expect: "100-continue",
      ...headers,
    },
  });
  // A server may cut it while nobody waits for the answer; whoever does wait still sees the error.
  sent.on("error", () => undefined);
  sent.flushHeaders();
  await once(sent, "continue");
  return {
    finish: (): Promise<Answer> => {
      sent.end(body);
      return answerTo(sent);
    },
  };
}

/** A request that takes the server at least so long, because its client takes so long. */
export async function askSlowly(baseUrl: string, ms: number): Promise<Answer> {
  const half = await askHalf(baseUrl);
  await new Promise((resolve) => setTimeout(resolve, ms));
  return half.finish();
}
