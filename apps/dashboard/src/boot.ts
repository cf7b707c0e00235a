import "./ui/base.css";
import { askWhoAtStart } from "./api/who-at-start.ts";
import { pageFiles, pagePathOf } from "./page-files.ts";

/**
 * The first script, and small: it asks for the dashboard, the frame, the page and whose page it is, all at once. Each would
 * otherwise be asked for by the one before it, after that was read and run.
 */
const path = pagePathOf(location.pathname);
if (path !== "/login") {
  askWhoAtStart();
  early(pageFiles.frame());
}
early(pageFiles[path]());
void import("./main.tsx");

/** The router asks again for what did not come, and shows what is wrong. */
function early(file: Promise<unknown>): void {
  file.catch(() => undefined);
}
