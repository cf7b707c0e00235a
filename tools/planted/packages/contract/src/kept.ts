import type { Store } from "@gatehouse/store"; // breaks: contract-imports-base-and-zod
export type Kept = Store;
