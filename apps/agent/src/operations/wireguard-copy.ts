import { byteForm, readByteForm } from "@gatehouse/base";
import { fault, type FaultCode } from "@gatehouse/contract/faults";
import { wireguardState } from "@gatehouse/plan";
import * as z from "zod";
import type { LiveInterface } from "./live-interface.ts";

const { interface: link } = wireguardState.shape;
const linkForm = link.unwrap();

/** What puts an interface back. Its private key is not in it: that stays where the host keeps it. */
const copyForm = z.strictObject({
  v: z.literal(1),
  ...linkForm.omit({ peers: true }).shape,
  peers: z
    .array(
      linkForm.shape.peers.element.extend({
        endpoint: z.strictObject({ host: z.string().max(64), port: z.int().min(0).max(65_535) }).optional(),
      }),
    )
    .max(4_096),
  /** What of it would not come back. A copy that is to be relied on has none. */
  special: z.array(z.string()).optional(),
});

export function writeInterfaceCopy(live: LiveInterface): Uint8Array {
  return byteForm(copyForm.parse({ v: 1, ...live }));
}

const copyJson = { depth: 8, keys: 100_000, items: 1_000_000 };

export function readInterfaceCopy(copy: Uint8Array, failed: FaultCode): Omit<z.output<typeof copyForm>, "v"> {
  const read = copyForm.safeParse(readByteForm(copy, copyJson));
  if (!read.success) throw fault(failed, "expected an interface as it was, found something else");
  return read.data;
}
