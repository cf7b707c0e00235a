import { count, table } from "@gatehouse/command-line";
import { witnessStates } from "@gatehouse/contract";
import { auditWitnessesRoute, type AuditWitnessView } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";

export const auditWitnesses = defineCommand({
  name: "audit witnesses",
  summary: "list the hosts that keep heads of the log, and which do not believe it",
  about: [
    "Every host keeps the newest signed head of the log, and refuses what does not go on from it. A host that refuses has seen another log than the server has now: its end was cut off, it was changed, or a backup was restored. It needs the scope audit:read, and exits with 1 while a host refuses.",
    "A server that was taken over can say what it likes: on the host, gatehouse-agent witness show says the same without it.",
    connectionAbout,
  ],
  examples: [
    { why: "See who agrees", run: "gatehouse audit witnesses" },
    { why: "See only who does not", run: "gatehouse audit witnesses --state refuses" },
  ],
  flags: { state: { value: "STATE", about: "Only hosts in this state.", choices: witnessStates } },
  run: async ({ state }, surroundings) => {
    const connection = await openConnection(surroundings);
    const { data } = await connection.call(auditWitnessesRoute, { query: { limit: "1" } });
    const { summary, head } = data;
    const listing = { most: 10_000, pageSize: 500, query: { state } };
    const { items, more } = await listAll(connection, auditWitnessesRoute, listing);
    const { first, refuse } = summary;
    const rows = items.map(rowOf);
    return {
      ok: refuse === 0,
      lines: [
        ...(first === null
          ? []
          : [`THE LOG IS NOT BELIEVED by ${count(refuse, "host")}. First: ${first.name}: ${first.detail}`]),
        head === null ? "No head was signed yet." : `Newest head: ${head.n} at position ${head.position}, ${head.at}`,
        `Agree: ${summary.agree}, behind: ${summary.behind}, refuse: ${refuse}, silent: ${summary.silent}`,
        ...(rows.length === 0 ? [] : table(["name", "digits", "state", "head", "position", "told"], rows)),
      ],
      json: { head, summary: asJson(summary), items: items.map(asJson), more },
    };
  },
});

function rowOf({ name, node, state, code, n, position, toldAt }: AuditWitnessView): string[] {
  const stands = code === null ? state : `${state} (${code})`;
  return [name, node.slice(-8), stands, String(n ?? "-"), String(position ?? "-"), toldAt ?? "-"];
}
