/** A mistake in how the program was called: exit code 2, and the help that would have prevented it. */
export class UsageError extends Error {
  /** What to ask for help about. */
  readonly topic: string;

  constructor(message: string, topic = "") {
    super(message);
    this.name = "UsageError";
    this.topic = topic;
  }
}
