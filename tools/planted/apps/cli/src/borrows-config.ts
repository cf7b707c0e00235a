import { config } from "../../server/src/config.ts"; // breaks: no-app-to-app
export const borrows = config;
