/** The person who runs the command, as far as a command needs to ask. */
export interface Terminal {
  /** Shows lines to the person before a question; what a script takes is never among them. */
  show(lines: readonly string[]): Promise<void>;
  /** Asks for a line, which is seen while it is typed. */
  ask(question: string): Promise<string>;
  /** Asks for a line that must not be seen. */
  askHidden(question: string): Promise<string>;
  /**
   * Everything on standard input, for those who are no person. Refuses a terminal: there it would be seen. `most` is in bytes;
   * without it, more than any number of passwords.
   */
  readStandardInput(most?: number): Promise<string>;
}
