import { compose } from "../../../apps/server/src/compose.ts"; // breaks: packages-know-no-app
export const aware = compose;
