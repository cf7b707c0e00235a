import type { Store } from "@gatehouse/store"; // breaks: verdicts-import-keys-and-below
import * as z from "zod";
export type Remembers = Store;
export const schema = z;
