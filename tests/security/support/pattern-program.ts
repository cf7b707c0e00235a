/** A pattern as a list of steps, so that they can be counted: `pattern-steps.ts` takes them one after the other. */
export type Step =
  | { readonly kind: "character"; readonly fits: (character: string) => boolean }
  | { readonly kind: "fork"; first: number; second: number }
  | { readonly kind: "jump"; to: number }
  | { readonly kind: "assert"; readonly holds: (text: readonly string[], at: number) => boolean }
  | { readonly kind: "look"; readonly program: readonly Step[]; readonly isNegative: boolean }
  | { readonly kind: "mark" | "moved"; readonly slot: number };

/** Throws for what it does not know: a pattern that cannot be judged is looked at by a person. */
export function compilePattern(source: string, flags: string): readonly Step[] {
  return new Compiler(source, flags).whole();
}

class Compiler {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;
  #slots = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  whole(): Step[] {
    const program = this.#alternatives();
    if (this.#at < this.#source.length) throw this.#unknown();
    return program;
  }

  #alternatives(): Step[] {
    let program = this.#sequence();
    while (this.#source[this.#at] === "|") {
      this.#at += 1;
      program = either(program, this.#sequence());
    }
    return program;
  }

  #sequence(): Step[] {
    const program: Step[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at] as string)) {
      const body = this.#atom();
      append(program, this.#quantified(body));
    }
    return program;
  }

  #atom(): Step[] {
    const rest = this.#source.slice(this.#at);
    const [group] = /^\((?:\?(?::|=|!|<=|<!|<\w+>))?/.exec(rest) ?? [];
    if (group !== undefined) return this.#group(group);
    const assertion = /^(?:[\^$]|\\[bB])/.exec(rest)?.[0];
    if (assertion !== undefined) {
      this.#at += assertion.length;
      return [{ kind: "assert", holds: assertionOf(assertion, this.#flags.includes("m")) }];
    }
    const atom =
      /^(?:\[\^?(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Z]|\\[^1-9k]|[^*+?{\\)])/su.exec(
        rest,
      )?.[0];
    if (atom === undefined) throw this.#unknown();
    this.#at += atom.length;
    return [{ kind: "character", fits: characterTest(atom, this.#flags) }];
  }

  #group(opening: string): Step[] {
    this.#at += opening.length;
    const body = this.#alternatives();
    if (this.#source[this.#at] !== ")") throw this.#unknown();
    this.#at += 1;
    if (!/[=!]$/.test(opening)) return body;
    const isNegative = opening.endsWith("!");
    if (!opening.startsWith("(?<")) return [{ kind: "look", program: body, isNegative }];
    const [only, ...more] = body;
    if (only?.kind !== "character" || more.length > 0) throw this.#unknown();
    return [{ kind: "assert", holds: (text, at) => (at > 0 && only.fits(text[at - 1] as string)) !== isNegative }];
  }

  #quantified(body: readonly Step[]): readonly Step[] {
    const [all = "", sign, least = "", comma, most = "", lazy] =
      /^(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += all.length;
    if (all === "") return body;
    const from = sign === undefined ? Number(least) : sign === "+" ? 1 : 0;
    const to =
      sign === "?" ? 1 : sign !== undefined || (comma === "," && most === "") ? Infinity : Number(most || least);
    const program: Step[] = [];
    for (let time = 0; time < from; time += 1) append(program, body);
    if (to === Infinity) append(program, this.#loop(body, lazy === "?"));
    else append(program, optional(body, to - from, lazy === "?"));
    return program;
  }

  /** As often as it fits. A round that took nothing is not repeated, or it would never end. */
  #loop(body: readonly Step[], isLazy: boolean): Step[] {
    const slot = this.#slots++;
    const program: Step[] = [
      { kind: "fork", first: 0, second: 0 },
      { kind: "mark", slot },
    ];
    append(program, body);
    program.push({ kind: "moved", slot }, { kind: "jump", to: 0 });
    program[0] = isLazy
      ? { kind: "fork", first: program.length, second: 1 }
      : { kind: "fork", first: 1, second: program.length };
    return program;
  }

  #unknown(): Error {
    return new Error(`no steps are known for ${this.#source.slice(this.#at, this.#at + 10)} in /${this.#source}/`);
  }
}

/** Up to so many times, each only after the one before. */
function optional(body: readonly Step[], most: number, isLazy: boolean): Step[] {
  const program: Step[] = [];
  const size = body.length + 1;
  for (let time = 0; time < most; time += 1) {
    const [on, out] = [program.length + 1, most * size];
    program.push(isLazy ? { kind: "fork", first: out, second: on } : { kind: "fork", first: on, second: out });
    append(program, body);
  }
  return program;
}

function either(one: readonly Step[], other: readonly Step[]): Step[] {
  const program: Step[] = [{ kind: "fork", first: 1, second: one.length + 2 }];
  append(program, one);
  program.push({ kind: "jump", to: one.length + 2 + other.length });
  append(program, other);
  return program;
}

/** Puts steps behind others; places inside them move along. */
function append(program: Step[], more: readonly Step[]): void {
  const by = program.length;
  for (const step of more) {
    if (step.kind === "fork") program.push({ ...step, first: step.first + by, second: step.second + by });
    else if (step.kind === "jump") program.push({ ...step, to: step.to + by });
    else program.push(step);
  }
}

function characterTest(atom: string, flags: string): (character: string) => boolean {
  const pattern = new RegExp(`^(?:${atom})$`, flags.replaceAll(/[^isuv]/g, ""));
  const known = new Map<string, boolean>();
  return (character) => {
    const before = known.get(character);
    if (before !== undefined) return before;
    const fits = pattern.test(character);
    known.set(character, fits);
    return fits;
  };
}

function assertionOf(sign: string, isMultiline: boolean): (text: readonly string[], at: number) => boolean {
  const endsLine = (character: string | undefined) => isMultiline && /^[\n\r\u2028\u2029]$/.test(character ?? "");
  const isWord = (character: string | undefined) => /^\w$/.test(character ?? "");
  if (sign === "^") return (text, at) => at === 0 || endsLine(text[at - 1]);
  if (sign === "$") return (text, at) => at === text.length || endsLine(text[at]);
  return (text, at) => (isWord(text[at - 1]) !== isWord(text[at])) === (sign === "\\b");
}
