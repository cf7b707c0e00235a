import { auditWitnessRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";

export const auditWitness = defineCommand({
  name: "audit witness",
  summary: "get the signed end of the audit log, to be kept elsewhere",
  about: [
    "A hash chain cannot see that its own end was cut off. This prints the position and link the log has reached, signed by the server, as one JSON document. Keep it where whoever takes the server cannot reach it.",
    "Later, gatehouse audit verify --witness FILE holds the files against it.",
    connectionAbout,
  ],
  examples: [
    { why: "Keep today's witness", run: "gatehouse audit witness > witness.json" },
    {
      why: "Keep one every night, with a token",
      run: "GATEHOUSE_TOKEN=$(cat token) gatehouse audit witness > witness.json",
    },
  ],
  flags: {},
  run: async (_given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { data } = await connection.call(auditWitnessRoute, {});
    return { ok: true, lines: [JSON.stringify(data)], json: { ...data } };
  },
});
