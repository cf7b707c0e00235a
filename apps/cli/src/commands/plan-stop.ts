import { stopPlansRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { sayStop } from "../plans/say-stop.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";

export const planStop = defineCommand({
  name: "plan stop",
  summary: "stop all plans at once",
  about: [
    "From now on nothing more is begun on any host, whoever approved it. Use it the moment something goes wrong: nobody is asked for a password. An owner ends the stop with `gatehouse settings set plans.stopped none`. It needs the scope plan:stop.",
    connectionAbout,
  ],
  examples: [{ why: "Stop everything", run: 'gatehouse plan stop --reason "Hosts lose their network"' }],
  flags: { reason: { value: "TEXT", about: "Why: everybody reads it.", required: true } },
  run: async ({ reason }, surroundings) => {
    const connection = await openConnection(surroundings);
    const { data } = await connection.call(stopPlansRoute, { body: { reason } });
    const { stopped } = data;
    return {
      ok: stopped !== null,
      lines: [
        stopped === null ? "The server did not stop plans." : sayStop(stopped),
        "  An owner ends it: `gatehouse settings set plans.stopped none`",
      ],
      json: { stopped },
    };
  },
});
