import { type Flags, UsageError } from "@gatehouse/command-line";
import { type WantedRun, waveLimits } from "@gatehouse/contract";

/** In which order the hosts of a plan get it, and when it halts by itself. */
export const waveFlags = {
  canary: { value: "N", about: "So many hosts first, of those that are connected." },
  wave: {
    value: "TAG",
    about: "Then the hosts with this tag; several waves, in their order, with commas or by repeating it.",
    list: true,
  },
  "wave-size": { value: "N", about: "Waves of so many hosts at most." },
  "halt-after": {
    value: "N",
    about: "Halt when so many hosts of a wave have not kept the change. With waves and without it, 1.",
  },
  "halt-at": { value: "PERCENT", about: "Or when this share of a wave has not kept it." },
} as const satisfies Flags;

interface GivenWaves {
  readonly canary?: string;
  readonly wave?: readonly string[];
  readonly "wave-size"?: string;
  readonly "halt-after"?: string;
  readonly "halt-at"?: string;
}

/** Undefined where nobody said how the plan runs. */
export function parseWaves(given: GivenWaves, topic: string): WantedRun | undefined {
  const whole = (name: "canary" | "wave-size" | "halt-after" | "halt-at", most: number): number | undefined => {
    const { [name]: text } = given;
    if (text === undefined) return undefined;
    const number = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : Number.NaN;
    if (number <= most) return number;
    throw new UsageError(`--${name} must be a whole number from 1 to ${most}; found ${JSON.stringify(text)}`, topic);
  };
  const [canary, size] = [whole("canary", waveLimits.canary), whole("wave-size", waveLimits.hosts)];
  const [after, percent] = [whole("halt-after", waveLimits.hosts), whole("halt-at", 100)];
  if (after !== undefined && percent !== undefined) {
    throw new UsageError("--halt-after and --halt-at both say when it halts; write one of them", topic);
  }
  const { wave: tags } = given;
  const hasWaves = (canary ?? size ?? tags) !== undefined;
  const share = percent === undefined ? undefined : { percent };
  const halt = after === undefined ? share : { after };
  if (!hasWaves && halt === undefined) return undefined;
  return {
    ...(hasWaves && {
      waves: {
        ...(canary !== undefined && { canary }),
        ...(tags !== undefined && { tags: [...tags] }),
        ...(size !== undefined && { size }),
      },
    }),
    ...(halt !== undefined && { halt }),
  };
}
