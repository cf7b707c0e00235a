import { parseStrictJson } from "@gatehouse/base";
import { decodeBase64url, encodeBase64url, enrolPath } from "@gatehouse/channel";
import { fault, type FaultCode, faults } from "@gatehouse/contract/faults";
import * as z from "zod";
import { describeFailure, wayToServer } from "../local/way-to-server.ts";
import type { PinnedServer } from "../local/server-file.ts";

/** Sends the signed request and gives the signed answer. */
export type PostEnrolment = (server: PinnedServer, message: Uint8Array) => Promise<Uint8Array>;

/** Somebody has answered: asking the same again would be answered the same. */
const answered = { fields: { answered: true } };

const answerMs = 30_000;
const answerBytes = 32 * 1024;
const answerForm = z.strictObject({ message: z.string().max(24 * 1024) });
const problemForm = z.looseObject({ code: z.string().max(64), detail: z.string().max(2_048) });

export const postEnrolment: PostEnrolment = async (server, message) => {
  const response = await send(server, message);
  const text = await readLimited(response);
  const read = parseStrictJson(text, { depth: 8, keys: 64, items: 256 });
  if (response.status === 200) {
    const answer = answerForm.safeParse(read.ok ? read.value : undefined);
    const bytes = answer.success ? decodeBase64url(answer.data.message) : undefined;
    if (bytes === undefined) throw fault("enrol.malformed", "the answer is not built as one");
    return bytes;
  }
  const problem = problemForm.safeParse(read.ok ? read.value : undefined);
  // Only a refusal that an enrolment can have is repeated as the server's own word; the rest is a server that is not there.
  if (problem.success && /^(enrol|key|hello)\./.test(problem.data.code) && Object.hasOwn(faults, problem.data.code)) {
    throw fault(problem.data.code as FaultCode, problem.data.detail);
  }
  const said = problem.success ? `${problem.data.code}: ${problem.data.detail}` : "no word of a Gatehouse server";
  throw fault("enrol.unreachable", `${server.url} answered with the status ${response.status} and ${said}`, answered);
};

async function send(server: PinnedServer, message: Uint8Array): Promise<Response> {
  const request = {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ message: encodeBase64url(message) }),
    redirect: "manual",
    signal: AbortSignal.timeout(answerMs),
    ...wayToServer(server),
  } as const;
  let response: Response;
  try {
    response = await fetch(new URL(enrolPath, server.url), request);
  } catch (cause) {
    throw fault("enrol.unreachable", `${server.url}: ${describeFailure(cause)}`, { cause });
  }
  if (response.status >= 300 && response.status < 400) {
    throw fault("enrol.unreachable", `${server.url} answers with a redirect, and redirects are not followed`, answered);
  }
  return response;
}

/** Whoever answers may not be the server: it gets no more memory than an answer needs. */
async function readLimited(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of response.body ?? []) {
      length += part.byteLength;
      if (length > answerBytes) throw fault("enrol.malformed", `expected at most ${answerBytes} bytes, found more`);
      parts.push(part);
    }
  } catch (cause) {
    if (length > answerBytes) throw cause;
    throw fault("enrol.unreachable", `the answer broke off: ${describeFailure(cause)}`, { cause });
  }
  return Buffer.concat(parts).toString("utf8");
}
