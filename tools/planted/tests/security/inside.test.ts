import { compose } from "../../apps/server/src/compose.ts"; // breaks: suites-are-black-boxes
export const inside = compose;
