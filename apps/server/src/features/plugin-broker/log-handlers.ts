import type { BrokerParams } from "@gatehouse/contract/broker";
import type { Log } from "../../platform/log/index.ts";
import type { BrokerHandlers } from "./handlers.ts";

/** A plugin's own words never look like the server's: they stand in a field, and no word of a plugin is an error of ours. */
const levels = { debug: "info", info: "info", warn: "warn", error: "warn" } as const satisfies Record<
  BrokerParams<"log.write">["level"],
  keyof Log
>;

/** The log makes every text one inert line; the calls of an action bound how many there are. */
export function logHandlers({ log }: { readonly log: Log }): Pick<BrokerHandlers, "log.write"> {
  return {
    "log.write": async ({ plugin, action }, { level, message }) => {
      log[levels[level]]("plugin says", { plugin: plugin.id, action, severity: level, text: message });
      return {};
    },
  };
}
