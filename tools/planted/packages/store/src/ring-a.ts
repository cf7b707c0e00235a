import { b } from "./ring-b.ts"; // breaks: no-cycle
export const a = (): unknown => b;
