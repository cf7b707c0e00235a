import { expect, test } from "vitest";
import { emptyChanges } from "../../widgets/ChangeFields/host-change.ts";
import { sayChanges } from "./say-changes.ts";

const restart = { kind: "service.restart", unit: " nginx.service " } as const;
const write = { ...emptyChanges["file.write"], path: "/etc/motd", text: "hello\n" };

test("a whole change is read in the words of the plan, with what the lint finds before any host is asked", () => {
  const [one, two] = sayChanges([restart, { ...write, path: "/etc/cron.d/x" }]);
  expect(one?.words).toEqual(["Restarts nginx.service. A restart cannot be undone."]);
  expect(one?.findings).toMatchObject([{ code: "service.not_undone", severity: "note", operation: 0 }]);
  expect(two?.words[0]).toMatch(/^Writes \/etc\/cron\.d\/x: 6 bytes/);
  expect(two?.findings).toMatchObject([{ code: "file.equals_root", operation: 1 }]);
});

test("a change that is not whole has no words and says what is wrong, and does not move the findings of the next", () => {
  const [first, second, third] = sayChanges([emptyChanges["service.restart"], write, write]);
  expect(first).toEqual({ words: [], findings: [], wrong: { unit: "Name the service whole, such as nginx.service." } });
  expect(second?.findings).toEqual([]);
  expect(third?.findings).toMatchObject([{ code: "section.subject_twice", operation: 2 }]);
  expect(sayChanges([{ ...write, path: "/etc/../shadow" }])[0]?.wrong.path).toMatch(/^It must be an absolute path/);
  expect(sayChanges([{ ...write, text: "a\u0007b" }])[0]?.wrong.text).toMatch(/visible characters/);
});

test("a program is said with what its publisher signed, and one that is not chosen is what is wrong", () => {
  const program = {
    name: "caddy",
    version: "2.8.4",
    architecture: "x64",
    sha256: "3f2a1b9c".repeat(8),
    size: 40_055_603,
    publisher: "acme",
    signature: { keyId: "0a1b2c3d".repeat(4), ed25519: `${"A".repeat(86)}==` },
  } as const;
  const replace = { kind: "binary.replace", path: "/usr/local/bin/caddy", program } as const;
  const [whole, none, odd] = sayChanges([
    replace,
    { ...replace, program: null },
    { ...replace, program: { ...program, version: "two" } },
  ]);
  expect(whole?.words[0]).toBe("Replaces the program /usr/local/bin/caddy by caddy 2.8.4 for x64.");
  expect(none?.wrong).toEqual({ program: "Choose the program that is to be there." });
  expect(odd?.wrong.program).toMatch(/^Its version /);
});

test("an update of the agent is said by what it becomes, and is wrong beside anything else", () => {
  const release = {
    version: "0.3.0",
    architecture: "x64",
    sha256: "3f2a1b9c".repeat(8),
    size: 40_055_603,
    signature: { keyId: "0a1b2c3d".repeat(4), ed25519: `${"A".repeat(86)}==` },
  } as const;
  const update = { kind: "agent.update", release } as const;
  const [alone] = sayChanges([update]);
  expect(alone?.words[0]).toMatch(/^Updates the agent to 0\.3\.0 for x64/);
  expect(alone?.wrong).toEqual({});
  expect(sayChanges([emptyChanges["agent.update"]])[0]?.wrong.release).toMatch(/^Choose the release/);
  expect(sayChanges([restart, update]).map(({ wrong }) => wrong.release)).toEqual([
    undefined,
    expect.stringMatching(/alone/),
  ]);
  expect(sayChanges([{ ...update, release: { ...release, version: "two" } }])[0]?.wrong.release).toMatch(
    /^Its version/,
  );
});
