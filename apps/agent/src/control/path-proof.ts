import { decodeBase64url, encodeBase64url } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import * as z from "zod";
import type { StopTimer, Timers } from "../host/timers.ts";
import type { AskHelper } from "../local/ask-helper.ts";
import { reasonOf } from "./reason-of.ts";
import { isForLater, isUnknownVerb, pauseForHelper } from "./retry.ts";

/** Both halves of a hello as they went over the wire. The helper believes the server's signature, and nothing that is said here. */
export interface PathProof {
  readonly hello: Uint8Array;
  readonly welcome: Uint8Array;
}

/** What a change that is open waits for: that the server has signed the helper's own random bytes over a new connection. */
export interface PathProofs {
  /** 32 bytes for the next hello, or none. Never rejects: a helper that does not say keeps nobody from connecting. */
  probe(): Promise<Uint8Array>;
  bring(proof: PathProof): void;
  /** The connection that it was about is gone. */
  forget(): void;
}

export interface PathProofsDeps {
  readonly ask: AskHelper;
  readonly timers: Timers;
  readonly random: () => number;
  readonly log: (line: string) => void;
  /** Called when the helper has answered. */
  readonly brought: () => void;
}

const probeForm = z.strictObject({ probe: z.string() });

export function openPathProofs({ ask, timers, random, log, brought }: PathProofsDeps): PathProofs {
  let current: PathProof | undefined;
  let stopTimer: StopTimer = () => undefined;
  let unsaid = "";
  /** Said once, until the helper answers again. */
  const complain = (line: string) => {
    if (line !== unsaid) log(line);
    unsaid = line;
  };
  const forget = () => {
    current = undefined;
    stopTimer();
  };
  const bring = async (proof: PathProof, tries: number) => {
    try {
      await ask("probe.proof", { hello: encodeBase64url(proof.hello), welcome: encodeBase64url(proof.welcome) });
      log("the helper has taken the proof that this host reaches its server");
    } catch (error) {
      const { code, detail } = reasonOf(error);
      if (isForLater(error)) {
        complain(`the helper was not brought the proof that this host reaches its server: ${code}: ${detail}`);
        if (current !== proof) return;
        stopTimer = timers.after(pauseForHelper(tries, random()), () => void bring(proof, tries + 1));
        return;
      }
      log(`the helper does not take the proof that this host reaches its server: ${code}: ${detail}`);
    }
    unsaid = "";
    brought();
  };
  return {
    probe: async () => {
      try {
        const probe = await askProbe(ask);
        unsaid = "";
        return probe;
      } catch (error) {
        const { code, detail } = reasonOf(error);
        if (!isUnknownVerb(error))
          complain(`the helper does not say whether a change waits for a proof: ${code}: ${detail}`);
        return new Uint8Array();
      }
    },
    bring: (proof) => {
      forget();
      current = proof;
      void bring(proof, 1);
    },
    forget,
  };
}

async function askProbe(ask: AskHelper): Promise<Uint8Array> {
  const { data } = probeForm.safeParse(await ask("probe.get"));
  const probe = data && decodeBase64url(data.probe);
  if (probe === undefined || (probe.byteLength !== 0 && probe.byteLength !== 32)) {
    throw fault("local.unavailable", "the helper's answer is no probe");
  }
  return probe;
}
