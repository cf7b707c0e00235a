import * as z from "zod";
import { visibleText } from "./visible-text.ts";

/** Where on the earth: in degrees, as maps count them. A ten-thousandth of a degree is eleven metres: nobody's house is named by more. */
export const latitude = z.number().min(-90).max(90);
export const longitude = z.number().min(-180).max(180);
export const placeLabel = visibleText(60);

/** A place that a person has set for a node. It always wins over one that was looked up (contract 5.1). */
export const handPlace = z.strictObject({ latitude, longitude, label: placeLabel.nullable() });
export type HandPlace = z.output<typeof handPlace>;

export const placeSources = ["hand", "lookup"] as const;

/** Why a node has no place. */
export const placeless = {
  off: "lookup is off, and nobody has set one",
  unheard: "the host has not been connected since the server began",
  private: "it has only addresses that lead nowhere from outside",
  waiting: "its address is to be looked up",
  unfound: "the lookup service knows no place for its address",
  failed: "the lookup service did not answer as it should",
} as const;
export type Placeless = keyof typeof placeless;
