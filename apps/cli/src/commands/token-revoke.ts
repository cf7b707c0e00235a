import { findTokenId } from "@gatehouse/contract";
import { revokeTokenRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";

export const tokenRevoke = defineCommand({
  name: "token revoke",
  summary: "revoke a token for ever",
  about: [
    "Makes a token worthless at once; whatever it had open ends within a second. Your own tokens need no scope, those of others need token:admin. Use it the moment a token may have leaked: the token itself serves as its name.",
    connectionAbout,
  ],
  examples: [{ why: "Revoke a token by its id", run: "gatehouse token revoke 8k2m4p6q8r0t2v4w" }],
  arguments: {
    id: { value: "ID", about: "The 16 characters after gth_, as gatehouse token list shows them, or the whole token." },
  },
  flags: {},
  run: async (given, surroundings) => {
    const id = findTokenId(given.id) ?? given.id.replace(/^gth_/, "");
    const connection = await openConnection(surroundings);
    await connection.call(revokeTokenRoute, { params: { id } });
    return { ok: true, lines: [`The token ${id} is revoked.`], json: { revoked: id } };
  },
});
