import type { wireguard } from "../src/wireguard.ts";

/** A broker with a store in memory. */
export function brokerWith(store = new Map<string, string>()) {
  const kv = {
    get: async (key: string) => store.get(key),
    list: async ({ prefix = "" } = {}) => ({
      keys: [...store.keys()].filter((key) => key.startsWith(prefix)),
      more: false,
    }),
    put: async (key: string, value: string) => void store.set(key, value),
    delete: async (key: string) => void store.delete(key),
  };
  return { store, broker: { kv } as unknown as Parameters<typeof wireguard.actions.describe>[0] };
}
