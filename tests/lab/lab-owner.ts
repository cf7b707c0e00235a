import { type Answer, ask } from "../acceptance/ask.ts";
import { type Operator, signIn } from "../acceptance/plugin-yard.ts";
import type { RunningServer } from "../acceptance/server-under-test.ts";
import type { Front } from "./front.ts";

interface OwnerSession {
  readonly server: RunningServer;
  readonly operator: Promise<Operator>;
}

/**
 * The owner at the lab's server, with one session for every test of a file: a user has 20 at most, and the next one ends the
 * oldest, also that of whoever is waiting for an answer. Signs in anew where that session is gone, has grown old for what is
 * asked, or was of the server before a restart.
 */
export class LabOwner {
  readonly #front: Front;
  #session: OwnerSession | undefined;

  constructor(front: Front) {
    this.#front = front;
  }

  /** Bytes as they are, and everything else as JSON. What was refused for its session was not done, and is asked once more. */
  async send(method: string, path: string, body?: unknown, etag?: string): Promise<Answer> {
    const session = this.#current();
    const answer = await sendAs(await session.operator, { method, path, body, etag });
    if (answer.status !== 401 && !needsStepUp(answer)) return answer;
    this.#forget(session);
    return sendAs(await this.#current().operator, { method, path, body, etag });
  }

  #current(): OwnerSession {
    const { server } = this.#front;
    if (this.#session?.server === server) return this.#session;
    const session = { server, operator: signIn(server) };
    session.operator.catch(() => this.#forget(session));
    this.#session = session;
    return session;
  }

  /** Not one that somebody else has begun meanwhile. */
  #forget(session: OwnerSession): void {
    if (session === this.#session) this.#session = undefined;
  }
}

/** What is no refusal may have no body to read. */
function needsStepUp(answer: Answer): boolean {
  return answer.status === 403 && answer.json["code"] === "auth.step_up_required";
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly etag: string | undefined;
}

function sendAs({ server, headers }: Operator, { method, path, body, etag }: Sent): Promise<Answer> {
  const more = { ...headers, ...(etag !== undefined && { "If-Match": etag }) };
  if (body === undefined) return ask(server.baseUrl, { method, path, headers: more });
  const isBytes = body instanceof Uint8Array;
  const type = { "Content-Type": isBytes ? "application/octet-stream" : "application/json" };
  const sent = isBytes ? body : JSON.stringify(body);
  return ask(server.baseUrl, { method, path, headers: { ...more, ...type }, body: sent });
}
