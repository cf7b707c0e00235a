import { removeAlertSilenceRoute } from "@gatehouse/contract/routes";
import { getSilenceId, silenceArgument } from "../alerts/find-alert.ts";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";

export const alertUnsilence = defineCommand({
  name: "alert unsilence",
  summary: "end a silence before its time",
  about: [
    "People are told of alerts again that open from now on, and of the end of those that are open. It needs the scope node:admin.",
    connectionAbout,
  ],
  examples: [{ why: "The work is done", run: "gatehouse alert unsilence 8k2m4p6q" }],
  arguments: { silence: silenceArgument },
  flags: {},
  run: async ({ silence }, surroundings) => {
    const connection = await openConnection(surroundings);
    const id = await getSilenceId(connection, silence);
    await connection.call(removeAlertSilenceRoute, { params: { id } });
    return { ok: true, lines: [`The silence ${id} has ended.`], json: { ended: id } };
  },
});
