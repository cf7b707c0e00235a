import type { Store } from "@gatehouse/store"; // breaks: bundle-imports-contract-and-below
import * as z from "zod";
export type Remembers = Store;
export const schema = z;
