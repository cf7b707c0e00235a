import * as z from "zod";
import { webhookEventNames } from "../webhooks.ts";
import { defineKind, moment, type RecordOf, sealedText, text } from "./record-kind.ts";

/** The whole address is sealed too: at chat services whoever knows it may post. */
export const webhookKind = defineKind({
  name: "webhook",
  says: "Where signed notices are sent, of which events, and with which secret.",
  schema: z.strictObject({
    id: text,
    name: text,
    url: sealedText,
    /** What may be shown of the address. */
    origin: text,
    secret: sealedText,
    events: z.array(z.enum(webhookEventNames)),
    enabled: z.boolean(),
    /** What was committed before is not told. */
    since: moment,
    /** Since when it does not take notices, and what the first of these attempts met. */
    failing: z.strictObject({ since: moment, reason: text }).nullable(),
    createdAt: moment,
    createdBy: text,
  }),
  sealed: ["url", "secret"],
  heardWith: "settings:admin",
  kept: "until it is removed",
});
export type WebhookRecord = RecordOf<typeof webhookKind>;
