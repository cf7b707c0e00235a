import { decide } from "../features/audit/decide.ts"; // breaks: door-outside
export const peeks = decide;
