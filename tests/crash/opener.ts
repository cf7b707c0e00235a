import { isFault } from "@gatehouse/contract";
import { openFileStore } from "@gatehouse/store";
import { say } from "./client.ts";

/** `node opener.ts <directory> [<ms>]`: opens the store, says how that went, and holds it for a while. */
const [directory = "", ms = "0"] = process.argv.slice(2);
try {
  const store = await openFileStore({ directory });
  say("open");
  await new Promise((resolve) => setTimeout(resolve, Number(ms)));
  await store.close();
} catch (error) {
  say(isFault(error) ? error.code : String(error));
  process.exitCode = 1;
}
