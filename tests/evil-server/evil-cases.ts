import { channelLimits } from "@gatehouse/channel";
import { Random } from "../support/random.ts";
import { askedCases, refusals } from "./asked-cases.ts";
import { type EvilCase, type EvilGround, type Message, type Stage, stages } from "./evil-case.ts";
import { evilMessages } from "./evil-messages.ts";
import { brokenFrames } from "./broken-frames.ts";
import { type EvilType, evilTypes, serverTypes } from "./evil-types.ts";
import { mutate } from "./mutate.ts";

/** Every name in every state, as it would be meant; every limit from both sides; everything that the server's key can sign. */
export function plannedCases(place: string): readonly EvilCase[] {
  return [
    ...living.flatMap((stage) => evilTypes(place).map((type) => namedCase(type, stage))),
    ...serverTypes.flatMap(sizeCases),
    ...askedCases,
    ...living.flatMap((stage) => limitCases(stage)),
    ...living.flatMap((stage) => evilMessages.map(({ name, make }): EvilCase => ({ name, stage, make }))),
    ...wireCases("first"),
    ...wireCases("open"),
    { name: "everything", stage: "gone", make: (ground) => everything(place, ground), expected: "bye" },
  ];
}

/** Where the first message that is refused ends the connection, so that each needs one of its own. */
const living = stages.filter((stage) => stage !== "gone");

function everything(place: string, ground: EvilGround): Message[] {
  const limits = limitCases("gone").map(({ make }) => make);
  const texts = evilTypes(place).map(textOf);
  return [...texts, ...[...limits, ...evilMessages.map(({ make }) => make)].flatMap((make) => make(ground))];
}

/** The rest: a name or a message of the above, mutated by the seed and the number of the case. */
export function drawnCase(types: readonly EvilType[], seed: number, number: number): EvilCase {
  const random = new Random(seed, number);
  const stage = random.pick(stages);
  if (random.chance(0.25)) {
    const { name, make } = random.pick(evilMessages);
    return {
      name: `${name}, mutated`,
      stage,
      make: (ground) => make(ground).map((message) => mutate(ground.random, message)),
    };
  }
  const type = random.pick(types);
  return {
    name: `${type.type}, mutated`,
    stage,
    make: (ground) => {
      const count = 1 + ground.random.below(3);
      return Array.from({ length: count }, () => mutate(ground.random, textOf(type)));
    },
  };
}

function namedCase(type: EvilType, stage: Stage): EvilCase {
  const text = textOf(type);
  const base = { name: type.type, type: type.type, stage, make: () => [text] };
  if (stage !== "open") return { ...base, expected: "frame.illegal_now" };
  if (!type.taken) return { ...base, expected: "frame.unknown" };
  const answer = Object.entries(refusals).find(([name]) => name === type.type)?.[1];
  return answer === undefined ? base : { ...base, answer };
}

function sizeCases({ sample, most, end }: (typeof serverTypes)[number]): EvilCase[] {
  const text = JSON.stringify(sample);
  const at = (name: string, size: number, expected: string): EvilCase => {
    return { name: `${sample.t} ${name} its limit`, stage: "open", make: () => [text.padEnd(size)], expected };
  };
  return [at("at", most, end), at("above", most + 1, "frame.too_large")];
}

interface LimitCase extends EvilCase {
  readonly make: () => readonly Message[];
}

/** What no WebSocket sends: the runtime ends the connection, and the agent is told no more than that. */
function wireCases(stage: Stage): EvilCase[] {
  return Object.entries(brokenFrames).map(([name, raw]) => ({
    name,
    stage,
    make: () => ({ raw }),
    expected: "closed",
  }));
}

function limitCases(stage: Stage): LimitCase[] {
  const { helloBytes, frameBytes, framesPerSecond } = channelLimits;
  const sizes = [0, helloBytes, helloBytes + 1, frameBytes, frameBytes + 1, 1024 * 1024];
  const flood = Array.from({ length: framesPerSecond + 1 }, () => '{"t":"~later"}');
  return [
    ...sizes.flatMap((size): LimitCase[] => [
      { name: `${size} bytes`, stage, make: () => [new Uint8Array(size)] },
      { name: `${size} characters`, stage, make: () => [" ".repeat(size)] },
    ]),
    { name: "depth without end", stage, make: () => ['{"t":'.repeat(10_000), "[".repeat(60_000)] },
    { name: "what may be ignored, without end", stage, make: () => flood, ...(stage === "open" ? rate : {}) },
  ];
}

const rate = { expected: "frame.rate" } as const;

function textOf({ type, fields }: EvilType): string {
  return JSON.stringify({ t: type, ...fields });
}
