import * as z from "zod";
import { unitName } from "../fields.ts";
import { defineOperation } from "./descriptor.ts";

export const serviceRestart = defineOperation({
  kind: "service.restart",
  capability: "host:service",
  says: "Restarts a systemd service.",
  schema: z.strictObject({ kind: z.literal("service.restart"), unit: unitName }),
  subject: ({ unit }) => `service:${unit}`,
});
