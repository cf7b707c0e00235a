import type { AgentPaths } from "../config.ts";

interface RootsPlace {
  readonly paths: Pick<AgentPaths, "server" | "hostKey">;
}

/** Where root's files of an enrolment stand until the server has answered: until then what there is stays as it is, whatever ends it. */
export function nextPlace<Place extends RootsPlace>(place: Place): Place {
  const { server, hostKey } = place.paths;
  return { ...place, paths: { ...place.paths, server: `${server}.next`, hostKey: `${hostKey}.next` } };
}
