import { setEnrolMarker } from "../../../apps/agent/src/local/enrol-marker.ts";
import { nextPlace } from "../../../apps/agent/src/local/next-place.ts";
import { getPinnedServer, putPinnedServer } from "../../../apps/agent/src/local/server-file.ts";
import { serverPublicKey } from "../stolen-server.ts";
import type { AttackedMachine } from "./attacked-machine.ts";
import { answerWith, codeFor, type EvilAnswer } from "./enrol-server.ts";
import type { Found } from "./found.ts";
import type { RowGround } from "./row.ts";

/** Root has begun to enrol the host with that server; what it has so far stays where it is. */
export async function beginWith({ paths }: Pick<AttackedMachine, "paths">, url: string): Promise<void> {
  const place = { paths, owner: 0 };
  const { ca = "" } = getPinnedServer(place);
  await putPinnedServer(nextPlace(place), { url, key: serverPublicKey, ca });
  await setEnrolMarker(place, Date.now());
}

/** Root spends a code, and somebody answers. */
export function spendCode({ command }: RowGround, evil: EvilAnswer): Promise<Found> {
  const before = async (machine: AttackedMachine) => {
    machine.server.answerRequest = (body) => answerWith(evil, body);
    await beginWith(machine, machine.url);
  };
  return command({ before }, ["enrol-exchange", "--json"], ({ url }) => `${codeFor(url)}\n`);
}
