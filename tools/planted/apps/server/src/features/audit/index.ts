import { bus } from "../../platform/bus/index.ts";
import type { Store } from "@gatehouse/store";
import { decide } from "./decide.ts";
export const audit = (store: Store): unknown => [bus, decide, store];
