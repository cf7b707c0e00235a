import type { JsonObject } from "@gatehouse/base";
import { hostLogLimits } from "@gatehouse/contract";
import * as z from "zod";
import { getHostIdentity } from "../local/host-key.ts";
import type { HelperDeps } from "./helper-deps.ts";

const isEachOnce = (sources: readonly { readonly source: string }[]) =>
  new Set(sources.map(({ source }) => source)).size === sources.length;

export const logFields = z.strictObject({
  sources: z
    .array(
      z.strictObject({
        source: z.string().min(1).max(hostLogLimits.sourceChars),
        /** As an earlier answer said it; the server has kept it meanwhile. */
        cursor: z.string().max(512).nullable(),
      }),
    )
    .min(1)
    .max(hostLogLimits.sources)
    .refine(isEachOnce),
  lines: z.int().min(1).max(hostLogLimits.sentLines),
  skip: z.boolean(),
});

/** Lines of logs that root lets be sent. Not signed: whoever has the network part could send other lines anyway, in its own words. */
export async function readLogs(deps: HelperDeps, fields: z.output<typeof logFields>): Promise<JsonObject> {
  getHostIdentity(deps);
  // As JSON knows it: lists that only this side could not change are lists.
  return (await deps.readLogs(fields)) as unknown as JsonObject;
}
