import { compose } from "../../../apps/server/src/compose.ts";
export const plantedServer = compose;
