import "./ui/base.css";
import { askWhoAtStart } from "./api/who-at-start.ts";
import { frameFile, pageFiles } from "./page-files.ts";
import { pageAt } from "./page-table.ts";

/**
 * The first script, and small: it asks for the dashboard, the frame, the page and whose page it is, all at once. Each would
 * otherwise be asked for by the one before it, after that was read and run.
 */
const page = pageAt(location.pathname);
// Nobody has to be signed in for the gallery of parts, which is there in development only.
const isGallery = import.meta.env.DEV && location.pathname === "/gallery";
if (page.access !== "anybody" && !isGallery) {
  askWhoAtStart();
  early(frameFile());
}
early(pageFiles[page.file]());
void import("./main.tsx");

/** The router asks again for what did not come, and shows what is wrong. */
function early(file: Promise<unknown>): void {
  file.catch(() => undefined);
}
