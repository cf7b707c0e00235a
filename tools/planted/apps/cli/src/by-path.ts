import { openFileStore } from "../../../packages/store/src/index.ts"; // breaks: packages-by-name
export const byPath = openFileStore;
