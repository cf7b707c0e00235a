import type { NewEnrolment, Node } from "@gatehouse/contract/routes";
import { enrolFakeHost, type FakeHost } from "../../support/fake-host.ts";
import { PretendHost } from "../../support/pretend-host.ts";
import { call, type Headers, type Person } from "./people.ts";

/** A host that has no machine, with the keys that are its own. */
export interface KnownHost extends FakeHost {
  readonly host: PretendHost;
}

export async function newCode(port: number, { as }: Pick<Person, "as">, wanted: object = {}): Promise<NewEnrolment> {
  const made = await call<{ items: NewEnrolment[] }>(port, "POST", "/api/nodes/enrolments", { as, body: wanted });
  if (made.status !== 201) throw new Error(`making a code was answered ${made.status} ${made.code}`);
  return made.body.items[0] as NewEnrolment;
}

export async function newHost(port: number, owner: Pick<Person, "as">, hostname = "web-1"): Promise<KnownHost> {
  const host = new PretendHost(hostname);
  const { code } = await newCode(port, owner);
  return { ...(await enrolFakeHost(`http://127.0.0.1:${port}`, code, { host })), host };
}

export async function nodesFor(port: number, as: Headers): Promise<readonly Node[]> {
  return (await call<{ items: Node[] }>(port, "GET", "/api/nodes?limit=1000", { as })).body.items;
}

/** What the server keeps of a node, without what its connection says at the moment. */
export async function keptOf(port: number, as: Headers, id: string): Promise<string> {
  const { body } = await call<Node>(port, "GET", `/api/nodes/${id}`, { as });
  const { state: _, since: __, lastSeenAt: ___, address: ____, clockSkewMs: _____, rival: ______, ...kept } = body;
  return JSON.stringify(kept);
}
