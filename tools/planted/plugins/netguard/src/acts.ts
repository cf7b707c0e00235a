import type { Store } from "@gatehouse/store"; // breaks: plugins-use-sdk-only
export type Acts = Store;
