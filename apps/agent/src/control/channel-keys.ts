import type { KeyObject } from "node:crypto";
import type { Clock } from "@gatehouse/base";
import { channelLimits, encodeBase64url, writeControlFrame } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { newPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import type { AskHelper } from "../local/ask-helper.ts";
import { type ChannelKeyPlace, getChannelKey, offeredKeyPath } from "../local/channel-key.ts";
import { findKeyTime, findOfferedKey, keepOfferedKey, syncOfferedKey, takeOfferedKey } from "../local/offered-key.ts";
import type { Kept } from "./control-state.ts";
import type { Credentials } from "./hello-steps.ts";

export interface ChannelKeysDeps extends ChannelKeyPlace {
  readonly clock: Clock;
  readonly ask: AskHelper;
}

/** The channel key of this host, and how it becomes another one. The old one is let go when the server has welcomed the new one, and not before. */
export interface ChannelKeys {
  /** The key for one hello: the offered one when that is asked for and there is one. */
  forHello(which: Kept["helloKey"]): Pick<Credentials, "channelKey" | "isOffered">;
  /** The frame that offers another key, when it is time for one. */
  offer(): Promise<string | undefined>;
  /** A welcome was said to a key that was offered. Until it is taken no other is made: the server may know this one alone. */
  take(welcomed: KeyObject): Promise<void>;
}

const dayMs = 24 * 60 * 60_000;

export function openChannelKeys({ clock, ask, ...place }: ChannelKeysDeps): ChannelKeys {
  let triedAt = Number.NEGATIVE_INFINITY;
  let untaken: KeyObject | undefined;
  // A clock that stood ahead when the key was made says nothing about its age.
  const ageOf = (path: string) => Math.abs(clock.now() - (findKeyTime(path) ?? clock.now()));

  const toOffer = async (known: KeyObject | undefined): Promise<KeyObject> => {
    // The same one for a day: the helper signs no other before. Later a server that would not have it is offered another.
    if (known !== undefined && ageOf(offeredKeyPath(place)) < dayMs) {
      await syncOfferedKey(place);
      return known;
    }
    const key = newPrivateKey();
    await keepOfferedKey(place, key);
    return key;
  };

  const take = async (welcomed: KeyObject): Promise<void> => {
    untaken = welcomed;
    await takeOfferedKey(place, welcomed);
    untaken = undefined;
  };

  return {
    forHello: (which) => {
      const offered = which === "offered" ? findOfferedKey(place) : undefined;
      return { channelKey: offered ?? getChannelKey(place), isOffered: offered !== undefined };
    },
    offer: async () => {
      if (untaken !== undefined) await take(untaken);
      if (clock.monotonic() - triedAt < dayMs) return undefined;
      const known = findOfferedKey(place);
      if (known === undefined && ageOf(place.paths.channelKey) < channelLimits.channelKeyDays * dayMs) return undefined;
      triedAt = clock.monotonic();
      const key = await toOffer(known);
      const { signed } = await ask("channel.sign", { channelKey: encodeBase64url(publicKeyBytes(key)) });
      if (typeof signed !== "string") throw fault("local.unavailable", "the helper has signed no channel key");
      return writeControlFrame({ t: "channel-key", signed });
    },
    take,
  };
}
