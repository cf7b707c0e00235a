import { rules } from "../../netguard/src/rules.ts"; // breaks: plugins-use-sdk-only
export const borrowed = rules;
