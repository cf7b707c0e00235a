import type { Terminal } from "../src/terminal/terminal.ts";

/** For commands that must not ask anybody anything. */
export const noTerminal: Terminal = {
  ask: (question) => Promise.reject(new Error(`asked ${question}`)),
  askHidden: (question) => Promise.reject(new Error(`asked ${question}`)),
  readStandardInput: () => Promise.reject(new Error("read standard input")),
};

/** Somebody who gives these answers, one after the other, and keeps the questions. */
export function answering(...answers: string[]): Terminal & { readonly questions: string[] } {
  const questions: string[] = [];
  const next = (question: string) => {
    questions.push(question);
    const answer = answers.shift();
    return answer === undefined ? Promise.reject(new Error(`asked ${question}`)) : Promise.resolve(answer);
  };
  return { questions, ask: next, askHidden: next, readStandardInput: () => next("standard input") };
}
