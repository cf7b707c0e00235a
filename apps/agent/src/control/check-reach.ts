import { faults } from "@gatehouse/contract/faults";
import { rootOwner } from "../host/need-root.ts";
import { findPinnedServer } from "../local/server-file.ts";
import type { CheckReach } from "../parts.ts";
import { reachServer } from "./find-reach-flaw.ts";

const name = "way to the server";

/** The line of `doctor` about the network: whether anybody answers there, under a certificate that is accepted. Who it is, the hello says. */
export const checkReach: CheckReach = async (paths) => {
  const server = findPinnedServer({ paths, owner: rootOwner(paths.root) });
  if (server === undefined) return [];
  const reached = await reachServer(server);
  if ("status" in reached) {
    const isThere = reached.status < 500;
    const found = `${server.url} answers (${reached.status})`;
    const todo = isThere ? "" : "Look at the server, or at the proxy before it: it does not serve.";
    return [{ name, ok: isThere, found, todo }];
  }
  const code = reached.code === "unreachable" ? "enrol.unreachable" : (reached.code as keyof typeof faults);
  return [{ name, ok: false, found: reached.detail, todo: faults[code].todo }];
};
