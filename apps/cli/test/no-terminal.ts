import type { Terminal } from "../src/terminal/terminal.ts";

/** For commands that must not ask anybody anything. */
export const noTerminal: Terminal = {
  show: () => Promise.reject(new Error("showed something")),
  ask: (question) => Promise.reject(new Error(`asked ${question}`)),
  askHidden: (question) => Promise.reject(new Error(`asked ${question}`)),
  readStandardInput: () => Promise.reject(new Error("read standard input")),
};

/** Somebody who gives these answers, one after the other, and keeps the questions and what was shown. */
export function answering(...answers: string[]): Terminal & { readonly questions: string[]; readonly shown: string[] } {
  const questions: string[] = [];
  const shown: string[] = [];
  const next = (question: string) => {
    questions.push(question);
    const answer = answers.shift();
    return answer === undefined ? Promise.reject(new Error(`asked ${question}`)) : Promise.resolve(answer);
  };
  const show = (lines: readonly string[]) => Promise.resolve(void shown.push(...lines));
  return { questions, shown, show, ask: next, askHidden: next, readStandardInput: () => next("standard input") };
}
