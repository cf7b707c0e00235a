import { plans } from "../plans/index.ts"; // breaks: feature-edges-plugin-lifecycle, activation-changes-no-host
export const applies = plans;
