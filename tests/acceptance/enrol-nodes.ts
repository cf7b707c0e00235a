import { PretendHost } from "../support/pretend-host.ts";
import type { Operator } from "./plugin-yard.ts";

export interface EnrolledNode {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
}

/** Enrols hosts of these names with these tags, which never connect. In the order of their ids, as a server lists them. */
export async function enrolNodes(
  operator: Operator,
  wanted: Readonly<Record<string, readonly string[]>>,
): Promise<EnrolledNode[]> {
  const nodes: EnrolledNode[] = [];
  for (const [name, tags] of Object.entries(wanted)) {
    const made = await operator.post("/api/nodes/enrolments", { name, tags });
    if (made.status !== 201) throw new Error(`the code for ${name} was answered ${made.status}: ${made.text}`);
    const [{ code } = { code: "" }] = made.json["items"] as { code: string }[];
    const host = new PretendHost(name);
    const enrolled = await operator.post("/api/agent/enrol", host.enrolment(code));
    if (enrolled.status !== 200) throw new Error(`${name} was answered ${enrolled.status}: ${enrolled.text}`);
    nodes.push({ id: host.nodeId, name, tags });
  }
  return nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
