import { config } from "./config.ts"; // breaks: layer-unknown-importer
export const server = config;
