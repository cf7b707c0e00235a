import { isFault } from "@gatehouse/contract";
import { openFileStore } from "@gatehouse/store";
import { inventedKinds } from "../support/invented-kinds.ts";
import { say } from "./client.ts";

/** `node opener.ts <directory> [hold]`: opens the store and says how that went. With `hold` it keeps the store until it is killed. */
const [directory = "", hold] = process.argv.slice(2);
try {
  const store = await openFileStore({ directory, kinds: inventedKinds });
  say("open");
  if (hold === undefined) await store.close();
  else setInterval(() => undefined, 1_000);
} catch (error) {
  say(isFault(error) ? error.code : String(error));
  process.exitCode = 1;
}
