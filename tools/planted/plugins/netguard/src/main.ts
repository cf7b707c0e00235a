import { sdk } from "@gatehouse/plugin-sdk";
import { rules } from "./rules.ts";
export const main = [sdk, rules];
