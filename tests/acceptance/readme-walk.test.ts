import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freshClone, installLike } from "../support/walk/fresh-clone.ts";
import { sectionOf, walkOf } from "../support/walk/walk-of.ts";
import { Walker } from "../support/walk/walker.ts";
import { imageVariable } from "./driver/container-driver.ts";
import { freshDirectory } from "./driver/directories.ts";
import { root } from "./driver/process-driver.ts";
import { isExternal } from "./server-under-test.ts";

/** The README's way without a container, in a fresh clone. The other is walked in `lab:container`. */
const [start = ""] = sectionOf(readFileSync(join(root, "README.md"), "utf8"), "## Start it").split("Or as a container");
const [install = "", ...lines] = walkOf(start).steps.map(({ command }) => command);

test.skipIf(isExternal || process.env[imageVariable] !== undefined)(
  "whoever types the README's lines into a fresh clone has a server, is signed in, and can verify what it kept",
  async () => {
    // It takes half a minute; every gate begins with it, and `npm run security -- --only 99` types it.
    expect(install).toBe("npm ci && npm run build");
    const place = freshDirectory();
    const clone = join(place, "clone");
    freshClone(root, clone);
    installLike(root, clone);
    const reader = new Walker({ place, cwd: clone });
    onTestFinished(() => reader.leave());
    let shown = "";
    for (const line of lines) {
      if (line.endsWith(" gatehouse-server")) {
        await reader.serve(line);
        continue;
      }
      // "Stop the server with Ctrl-C, then …"
      if (line.includes(" --data-dir ")) await reader.interrupt();
      const ran = await reader.type(line);
      expect(ran, line).toMatchObject({ code: 0 });
      shown += ran.shown;
    }
    expect(shown).toContain('{"status":"ok"}');
    expect(shown).toMatch(/^Signed in as admin \(owner\)/m);
    expect(shown).toMatch(/ auth\.signed_in .* done /);
  },
);
