import { DatabaseSync } from "node:sqlite"; // breaks: files-import-contract-and-below
export const rows = DatabaseSync;
