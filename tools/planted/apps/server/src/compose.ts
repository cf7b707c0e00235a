import { mkdirSync } from "node:fs";
import { openFileStore } from "@gatehouse/store";
import { config } from "./config.ts";
import { listen } from "./edge/listen.ts";
import { audit } from "./features/audit/index.ts";
import { bus } from "./platform/bus/index.ts";
export const compose = (): unknown => [mkdirSync, openFileStore, config, listen, audit, bus];
