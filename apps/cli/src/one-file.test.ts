import { expect, test } from "vitest";
import { noTerminal } from "../test/no-terminal.ts";
import { commands } from "./command-table.ts";
import { checkoutCommands, oneFileCommands } from "./one-file.ts";
import { isOneFile, readOwnProgram, sayOwnProgram } from "./own-program.ts";

test("what needs a checkout is a command, refuses in the one file, and nothing else does", async () => {
  const changed = oneFileCommands(commands).filter((command, index) => command !== commands[index]);
  expect(changed.map(({ name }) => name).toSorted()).toEqual(checkoutCommands.toSorted());
  for (const command of changed) {
    await expect(command.run({}, { environment: {}, terminal: noTerminal })).rejects.toMatchObject({
      code: "cli.checkout_needed",
    });
  }
});

test("a checkout has no digest of one file, and says so", () => {
  const own = readOwnProgram();
  expect([isOneFile, own.sha256]).toEqual([false, null]);
  expect(sayOwnProgram(own)).toBe(`gatehouse ${own.version}, of a checkout`);
});
