import { plans } from "../plans/index.ts"; // breaks: feature-edges-terminals
export const too = plans;
