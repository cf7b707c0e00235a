import { runAll } from "@gatehouse/base";
import type { Settings } from "../acceptance/driver/server-driver.ts";
import { type Front, startFront } from "./front.ts";
import { type ManagedHost, startHost } from "./managed-host.ts";

export interface Lab<Name extends string> {
  readonly front: Front;
  readonly hosts: Readonly<Record<Name, ManagedHost>>;
  close(): Promise<void>;
}

/** What a file of tests stands on: the front, and hosts that trust its authority. They start beside each other, or not at all. */
export async function openLab<const Name extends string>(
  names: readonly Name[],
  settings: Settings = {},
): Promise<Lab<Name>> {
  const steps: (() => Promise<void>)[] = [];
  const close = () => runAll(steps.toReversed());
  const starting = startFront(settings).then((front) => {
    steps.push(() => front.close());
    return front;
  });
  const booting = names.map(async (name) => {
    const host = await startHost(name);
    steps.push(() => host.remove());
    await host.trust((await starting).authority);
    return [name, host] as const;
  });
  // All of them, so that nothing starts after everything was closed.
  await Promise.allSettled([starting, ...booting]);
  try {
    const hosts = Object.fromEntries(await Promise.all(booting)) as Record<Name, ManagedHost>;
    return { front: await starting, hosts, close };
  } catch (error) {
    await close();
    throw error;
  }
}
