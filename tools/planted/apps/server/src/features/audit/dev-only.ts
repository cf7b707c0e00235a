import { test } from "vitest"; // breaks: production-uses-dependencies
export const devOnly = test;
