/** How an action ended. Only `exited` with code 0 can be a success; the server judges what was said before it. */
export type ActionOutcome = "exited" | "deadline" | "output" | "memory" | "killed" | "failed_to_start";

export interface ActionEnd {
  readonly outcome: ActionOutcome;
  readonly code: number | null;
  readonly signal: string | null;
  /** What it wrote to standard error, made printable, at most `stderrBytes` of it. */
  readonly stderr: string;
  readonly ms: number;
  /** One plain sentence for the record; says which limit, whose decision, or what the kernel answered. */
  readonly reason: string;
  /** The most memory seen at once, over all of its processes. */
  readonly peakMemoryBytes: number;
}

export interface StartOptions {
  readonly deadlineMs: number;
  /** Standard output in total; one byte more ends the action. */
  readonly outputBytes: number;
  readonly stderrBytes: number;
  readonly memoryBytes: number;
  /** Only TZ and GATEHOUSE_*; everything else is fixed. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** One fresh process, alive until its end is told. */
export interface RunningAction {
  /** One line to its standard input; the line end is added. After the end it is dropped. */
  send(line: string): void;
  /** Who hears its lines of standard output, without line ends. Set it before the next turn of the event loop. */
  lines(listener: (line: string) => void): void;
  /** Resolves once, after every process of the action is gone. Never rejects. */
  readonly onEnd: Promise<ActionEnd>;
  /** Ends every process of it at once; the reason comes back with the end. */
  kill(reason: string): void;
}

/** An end that no process told of. */
export function untoldEnd(outcome: ActionOutcome, reason: string): ActionEnd {
  return { outcome, reason, code: null, signal: null, stderr: "", ms: 0, peakMemoryBytes: 0 };
}
