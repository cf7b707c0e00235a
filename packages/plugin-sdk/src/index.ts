/**
 * Plugin SDK: what a plugin's author imports: the three actions, the loop that answers them, and the broker's client.
 * Never changes a host and never opens a file or a socket; a plugin has only its input and its broker.
 */
import * as z from "zod";

export {
  type Broker,
  BrokerFault,
  type LogWriter,
  openBrokerWire,
  type PlanBroker,
  type StoreReader,
  type StoreWriter,
} from "./core/broker-client.ts";
export { openAction } from "./core/open-action.ts";
export { definePlugin, type Plugin, PluginRefusal, type PluginSpec, refuse } from "./core/plugin.ts";
export { runPlugin } from "./core/run-plugin.ts";
export type {
  ActionName,
  Description,
  FetchReply,
  FetchRequest,
  Health,
  Json,
  MapLine,
  PlanNode,
  PlanQuestion,
  SeenMetrics,
  SeenNode,
} from "./core/wire.ts";
export { readInputWith } from "./read-input-with.ts";
/** Schemas for a plugin's input, so that a plugin needs no second package. */
export { z };
