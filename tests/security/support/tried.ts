import type { TestContext } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** What the test tried, with counts; shown beside the verdict of its class. */
    tried?: string;
  }
}

/** Says what a test tried. Called last, so that a test which stopped early claims nothing. */
export function tried({ task }: Pick<TestContext, "task">, words: string): void {
  task.meta.tried = words;
}

export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}`;
}
