import { count } from "@gatehouse/command-line";
import { auditVerifyRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

/** The server walks every record there is. */
const limitMs = 10 * 60_000;

export const auditCheck = defineCommand({
  name: "audit check",
  summary: "have a running server check its audit log",
  about: [
    "The server recomputes every link of its hash chain and says where it first breaks; exit code 1 if it does. It needs the scope audit:read and changes nothing.",
    "A server that was taken over can say what it likes. gatehouse audit verify checks the files themselves, without trusting a server, and with a witness also finds an end that was cut off.",
    connectionAbout,
  ],
  examples: [
    { why: "Check the log", run: "gatehouse audit check" },
    { why: "Check it every night, with a token", run: "GATEHOUSE_TOKEN=$(cat token) gatehouse audit check --json" },
  ],
  flags: {},
  run: async (_given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { data } = await connection.call(auditVerifyRoute, { limitMs });
    const { ok, broken, floor, head, records } = data;
    const log = `The audit log of ${connection.server.origin}`;
    const lines =
      broken === null && ok
        ? [`${log} is whole: ${count(records, "record")}.`]
        : [
            `${log} is broken at position ${broken?.position ?? "unknown"}.`,
            `  expected ${broken?.expected ?? "unknown"}`,
            `  found    ${broken?.found ?? "unknown"}`,
            "  Stop the server and look at the files: gatehouse audit verify",
          ];
    lines.push(`  from     position ${floor.position + 1}${floor.position === 0 ? "" : "; older records were pruned"}`);
    lines.push(`  to       position ${head.position}, link ${head.link}`);
    return { ok: ok && broken === null, lines, json: { ...asJson(data), ok: ok && broken === null } };
  },
});
