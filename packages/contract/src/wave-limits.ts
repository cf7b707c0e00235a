/** Waves that one plan has at most, and hosts that go before all others. Beside the schemas, so that a page which needs the numbers alone loads none. */
export const waveLimits = { waves: 100, canary: 100, tags: 32, hosts: 10_000 } as const;
