import type { NewEnrolment, Node } from "@gatehouse/contract/routes";
import type { PretendHost } from "../support/pretend-host.ts";
import { admin, type FleetServer } from "./fleet-server.ts";

/** Signs in as a person does; returns the cookie. */
export async function signIn(server: FleetServer): Promise<string> {
  const answer = await post(server, "/api/auth/login", admin);
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0];
  if (cookie === undefined) throw new Error(`no cookie: ${answer.status}`);
  return cookie;
}

/** Enrols hosts through the API: a code for each, and the message that a host makes of it. */
export async function enrolAll(server: FleetServer, cookie: string, hosts: readonly PretendHost[]): Promise<void> {
  const made = await post(server, "/api/nodes/enrolments", { count: hosts.length }, { cookie });
  const { items } = (await made.json()) as { items: readonly NewEnrolment[] };
  for (const [at, host] of hosts.entries()) {
    const code = items[at]?.code ?? "";
    const sent = host.enrolment(code);
    const answer = await post(server, "/api/agent/enrol", sent);
    const message = (await answer.json()) as { message: string };
    if (host.readAnswer(code, sent, message)?.nodeId !== host.nodeId) {
      throw new Error(`${host.hostname} was not enrolled: ${answer.status} ${JSON.stringify(message)}`);
    }
  }
}

/** Whether the server knows by now what each of them says of itself. */
export async function hasFacts(server: FleetServer, cookie: string, hosts: readonly PretendHost[]): Promise<boolean> {
  for (const { nodeId } of hosts) {
    const answer = await fetch(`${server.base}/api/nodes/${nodeId}`, { headers: { cookie } });
    const { facts } = (await answer.json()) as Pick<Node, "facts">;
    if (answer.status !== 200) throw new Error(`the node ${nodeId} is not shown: ${answer.status}`);
    if (facts === null) return false;
  }
  return true;
}

function post(server: FleetServer, path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${server.base}${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", Origin: server.base, ...headers },
  });
}
