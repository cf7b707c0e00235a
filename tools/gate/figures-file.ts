import { appendLine } from "./json-lines.ts";

/** One number that a bench measured, beside its goal. It is printed and kept; it decides nothing. */
export interface Figure {
  readonly suite: string;
  readonly name: string;
  readonly found: number;
  readonly goal: number;
  readonly atLeast: boolean;
  readonly unit: string;
  readonly reached: boolean;
}

/** Names the file that a bench writes its figures to. */
export const figuresVariable = "GATEHOUSE_FIGURES";

export function noteFigure(figure: Figure): void {
  appendLine(figuresVariable, figure);
}
