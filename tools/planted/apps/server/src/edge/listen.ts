import fastify from "fastify";
import type { Store } from "@gatehouse/store";
import { audit } from "../features/audit/index.ts";
export const listen = (store: Store): unknown => [fastify, audit, store];
