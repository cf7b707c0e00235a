import { count, UsageError } from "@gatehouse/command-line";
import { pluginIdPattern } from "@gatehouse/contract";
import { scaffold } from "@gatehouse/plugin-sdk/scaffold";
import { defineCommand } from "../command.ts";
import { errorCode } from "../files/error-code.ts";
import { cannotWrite } from "../files/write-new.ts";
import { fieldLine } from "../plugins/field-lines.ts";

const topic = "plugin new";

export const pluginNew = defineCommand({
  name: topic,
  summary: "make the first files of a plugin of one's own",
  about: [
    "Fills a directory that is absent or empty with a small plugin that works: its three actions, a test, a build to the one artifact file that is signed, and the SDK as a copy. What is there already is never written over, and nothing is fetched or run.",
    "What it makes needs Node 24 or newer and, for the build, what npm install brings: the bundler and TypeScript that its package.json names. It needs neither this program nor a checkout of Gatehouse: only trying, packing and signing do.",
    "A trust policy gives a publisher the ids that begin with its prefixes; choose the id accordingly.",
  ],
  examples: [
    { why: "Begin a plugin", run: "gatehouse plugin new motd --id acme-motd --publisher acme" },
    {
      why: "Take the names of its files in a script",
      run: "gatehouse plugin new motd --id acme-motd --publisher acme --json",
    },
  ],
  arguments: { directory: { value: "DIR", about: "The directory to fill; it is made if it is absent." } },
  flags: {
    id: { value: "ID", about: "The plugin's id: 2 to 63 of a-z, 0-9 and -.", required: true },
    publisher: { value: "PUBLISHER", about: "Your name in the trust policies of operators.", required: true },
  },
  run: async ({ directory, id, publisher }) => {
    for (const [name, text] of Object.entries({ id, publisher })) {
      if (pluginIdPattern.test(text)) continue;
      throw new UsageError(
        `--${name} takes 2 to 63 of a-z, 0-9 and -, and begins with a letter or digit; found ${JSON.stringify(text)}`,
        topic,
      );
    }
    const files = await scaffold(directory, { id, publisher }).catch((cause: unknown) => {
      // A refusal in words, such as of a directory that is not empty, stays as it is.
      throw /^E[A-Z]+$/.test(errorCode(cause) ?? "") ? cannotWrite(directory, cause) : cause;
    });
    return {
      ok: true,
      lines: [
        `Made ${id} in ${directory}: ${count(files.length, "file")}.`,
        fieldLine("begin with", "src/plugin.ts and plugin.json"),
        fieldLine("then", `cd ${directory} && npm install && npm test && npm run build`),
        fieldLine("try it", "gatehouse plugin try dist/artifact plan --input sample.json --nodes nodes.json"),
        fieldLine(
          "a key, once",
          `gatehouse plugin keygen --out ../${publisher}.key --publisher ${publisher} --capability host:file > ../trust.json`,
        ),
        fieldLine("pack it", "gatehouse plugin pack dist/plugin.json dist/artifact --out release"),
        fieldLine("sign it", `gatehouse plugin sign release/${id} --key ../${publisher}.key`),
        fieldLine("judge it", `gatehouse plugin verify release/${id} --trust ../trust.json`),
      ],
      json: { directory, id, publisher, files: [...files] },
    };
  },
});
