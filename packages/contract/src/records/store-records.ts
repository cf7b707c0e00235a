import * as z from "zod";
import { defineKind, sealedText, text } from "./record-kind.ts";

/** Where the audit log begins since older entries were forgotten. Kept for ever: without it the chain could not be verified. */
export const auditFloorKind = defineKind({
  name: "audit-floor",
  says: "Where the audit log begins since its oldest entries were removed; there is one such record.",
  schema: z.strictObject({ position: z.number(), link: text }),
  kept: "for ever",
});
export const auditFloorKey = auditFloorKind.key("main");

export const witnessKind = defineKind({
  name: "witness",
  says: "The key with which the server signs the end of the audit log; there is one such record.",
  schema: z.strictObject({ server: text, secret: sealedText }),
  sealed: ["secret"],
  kept: "for ever",
});
export const witnessKey = witnessKind.key("main");
