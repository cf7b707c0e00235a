import type { HostChange } from "./host-operation.ts";
import { replacedProgram } from "./replaced-program.ts";

/** A program of the path that the operation names. */
export const changeBinary: HostChange<"binary.replace"> = {
  validate: (ground, operation) => replacedProgram.validate(ground, operation.path, operation),
  snapshot: replacedProgram.snapshot,
  prove: replacedProgram.prove,
  apply: (ground, operation) => replacedProgram.apply(ground, operation.path, operation),
  isApplied: (ground, operation) => replacedProgram.isApplied(ground, operation.path, operation),
  restore: replacedProgram.restore,
  finish: (ground, { path }) => replacedProgram.finish(ground, path),
};
