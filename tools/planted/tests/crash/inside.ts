import { openFileStore } from "../../packages/store/src/index.ts";
export const inside = openFileStore;
