import { Chance } from "./chance.ts";
import { type Attack, attacksOn, textOf } from "./pattern-attacks.ts";
import { compilePattern, type Step } from "./pattern-program.ts";

export interface PatternVerdict {
  readonly texts: number;
  readonly mostSteps: number;
  /** The text that takes too many, when there is one. */
  readonly slow?: { readonly attack: Attack; readonly length: number };
}

/** At the first length an exponential pattern shows, at the second one that is quadratic. */
const lengths = [26, 2_048];
/** Reading each character some hundred times is what a bounded repetition does; going back to each for each is eight times that. */
const mostSteps = 500_000;

/**
 * Counts what a machine that goes back, as JavaScript's does, has to do for each text. The number is the same on every
 * machine and on every day, which a time is not.
 */
export function countPattern(source: string, flags: string, most: number): PatternVerdict {
  const chance = new Chance(source);
  const attacks = chance.sample(attacksOn(source, flags, chance), most);
  const counter = new StepCounter(compilePattern(source, flags), flags);
  let highest = 0;
  for (const length of lengths) {
    for (const attack of attacks) {
      const text = textOf(attack, length);
      const { steps, isFound } = counter.count(text);
      highest = Math.max(highest, steps);
      if (steps > mostSteps) return { texts: attacks.length, mostSteps: highest, slow: { attack, length } };
      // A count for another meaning than the real one would be worth nothing.
      if (new RegExp(source, flags).test(text) !== isFound) throw new Error(`/${source}/ is read differently here`);
    }
  }
  return { texts: attacks.length * lengths.length, mostSteps: highest };
}

/** Where to go on when a way has ended, or what to remember again by then. */
type Way = { readonly at: number; readonly place: number } | { readonly slot: number; readonly marked: number };

class StepCounter {
  readonly #program: readonly Step[];
  readonly #flags: string;
  #steps = 0;

  constructor(program: readonly Step[], flags: string) {
    this.#program = program;
    this.#flags = flags;
  }

  /** The steps of one use: a global pattern goes through the whole text, another one looks once. Ends early past the bound. */
  count(text: string): { readonly steps: number; readonly isFound: boolean } {
    this.#steps = 0;
    let isFound = false;
    const characters = /[uv]/.test(this.#flags) ? Array.from(text) : text.split("");
    for (let start = 0; start <= characters.length && this.#steps <= mostSteps; ) {
      const end = this.#run(this.#program, characters, start);
      isFound ||= end !== undefined;
      if (this.#flags.includes("y") || (end !== undefined && !this.#flags.includes("g"))) break;
      start = end === undefined || end === start ? start + 1 : end;
    }
    return { steps: this.#steps, isFound };
  }

  /** Where a match from here ends. */
  #run(program: readonly Step[], text: readonly string[], start: number): number | undefined {
    const marks: number[] = [];
    const ways: Way[] = [{ at: start, place: 0 }];
    for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
      if ("slot" in way) {
        marks[way.slot] = way.marked;
        continue;
      }
      const end = this.#follow(program, text, way, marks, ways);
      if (end !== undefined || this.#steps > mostSteps) return end;
    }
    return undefined;
  }

  /** One way to its end; what else could be tried is left in `ways`. */
  #follow(
    program: readonly Step[],
    text: readonly string[],
    way: { readonly at: number; readonly place: number },
    marks: number[],
    ways: Way[],
  ): number | undefined {
    let { at, place } = way;
    for (let step = program[place]; step !== undefined; step = program[place]) {
      this.#steps += 1;
      if (this.#steps > mostSteps) return undefined;
      place += 1;
      if (step.kind === "character") {
        if (at >= text.length || !step.fits(text[at] as string)) return undefined;
        at += 1;
      } else if (step.kind === "fork") {
        ways.push({ at, place: step.second });
        place = step.first;
      } else if (step.kind === "jump") {
        place = step.to;
      } else if (step.kind === "assert") {
        if (!step.holds(text, at)) return undefined;
      } else if (step.kind === "look") {
        if ((this.#run(step.program, text, at) !== undefined) === step.isNegative) return undefined;
      } else if (step.kind === "mark") {
        ways.push({ slot: step.slot, marked: marks[step.slot] ?? -1 });
        marks[step.slot] = at;
      } else if (marks[step.slot] === at) {
        return undefined;
      }
    }
    return at;
  }
}
