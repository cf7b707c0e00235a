import { gone } from "./gone.ts"; // breaks: imports-resolve
export const missing = gone;
