import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { webhookEventNames } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { childEnvironment } from "../../../tests/support/child-environment.ts";
import { newNoticeSecret, signNotice } from "../src/features/webhooks/index.ts";

const page = readFileSync(new URL("../../../docs/operate/webhooks.md", import.meta.url), "utf8");
const seconds = 1_767_225_600;
const body = '{"text":"web-1 is offline. ü"}';

/** The code of the page in one language; the last block of a kind is the one that verifies. */
function codeOf(language: string): string {
  const blocks = [...page.matchAll(new RegExp(`\`\`\`${language}\n([^\`]*(?:\`(?!\`\`)[^\`]*)*)\`\`\``, "g"))];
  const code = blocks.at(-1)?.[1];
  if (code === undefined) throw new Error(`the page has no ${language}`);
  return code;
}

/** Each as the page has it, with a notice that is good and some that are not. */
function judgements(secret: string): (readonly [header: string, body: string, now: number, isGood: boolean])[] {
  const header = signNotice(secret, body, seconds);
  return [
    [header, body, seconds + 299, true],
    [header, body, seconds + 301, false],
    [header, `${body} `, seconds, false],
    [signNotice(`${secret}x`, body, seconds), body, seconds, false],
    [header.replace("t=1", "t=2"), body, seconds, false],
    ["", body, seconds, false],
    [`${header},v1=00`, body, seconds, false],
  ];
}

test("what the page says for Node takes good notices alone", () => {
  const secret = newNoticeSecret();
  const cases = judgements(secret);
  const program = `${codeOf("js")}
    const cases = JSON.parse(process.env.CASES);
    console.log(JSON.stringify(cases.map(([header, body, now]) => isFromGatehouse(process.env.SECRET, header, body, now))));`;
  const said = execFileSync(process.execPath, ["-e", program], {
    env: { ...childEnvironment(), CASES: JSON.stringify(cases), SECRET: secret },
    encoding: "utf8",
  });
  expect(JSON.parse(said)).toEqual(cases.map(([, , , isGood]) => isGood));
});

test("what the page says for Python takes good notices alone", () => {
  const secret = newNoticeSecret();
  const cases = judgements(secret);
  const program = `${codeOf("python")}
import json, os
print(json.dumps([is_from_gatehouse(os.environ["SECRET"], *case[:3]) for case in json.loads(os.environ["CASES"])]))`;
  const said = execFileSync("python3", ["-c", program], {
    env: { ...childEnvironment(), CASES: JSON.stringify(cases), SECRET: secret },
    encoding: "utf8",
  });
  expect(JSON.parse(said)).toEqual(cases.map(([, , , isGood]) => isGood));
});

test("what the page says for a shell prints the signature", () => {
  const secret = newNoticeSecret();
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-webhook-"));
  try {
    writeFileSync(join(directory, "body.json"), body);
    const said = execFileSync("sh", ["-c", codeOf("sh")], {
      cwd: directory,
      env: { ...childEnvironment(), SECRET: secret, T: String(seconds) },
      encoding: "utf8",
    });
    expect(signNotice(secret, body, seconds)).toBe(`t=${seconds},v1=${said.trim()}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("the page names every event that there is", () => {
  for (const event of webhookEventNames) expect(page).toContain(`\`${event}\``);
});
