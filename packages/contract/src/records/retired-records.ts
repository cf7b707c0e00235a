import * as z from "zod";
import { defineKind } from "./record-kind.ts";

/** Nothing writes these any more. Data that holds such records must still open. */
export const fixtureKind = defineKind({
  name: "fixture",
  says: "Filler in the data of 0.1.1 to 0.1.5 that upgrades are tested with; nothing reads it.",
  schema: z.record(z.string(), z.json()),
  kept: "for ever",
});
