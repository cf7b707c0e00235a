import * as z from "zod";
import { unitName } from "../fields.ts";
import { describeOperation } from "./descriptor.ts";

export const serviceRestart = describeOperation({
  kind: "service.restart",
  capability: "host:service",
  says: "Restarts a systemd service.",
  schema: z.strictObject({ kind: z.literal("service.restart"), unit: unitName }),
  subject: ({ unit }) => `service:${unit}`,
});
