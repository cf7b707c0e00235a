import { compose } from "../compose.ts"; // breaks: edge-knows-no-root
export const builds = compose;
