import type { Store } from "@gatehouse/store";
export const users = (store: Store): unknown => store.get();
