import type { Store } from "@gatehouse/store"; // breaks: files-import-contract-and-below
export type Knows = Store;
