import "./ui/base.css";
import { askWhoAtStart } from "./api/who-at-start.ts";
import { frameFile, pageFiles } from "./page-files.ts";
import { pageAt } from "./page-table.ts";
import { untilLoaded } from "./api/until-loaded.ts";

/**
 * The first script, and small: it asks for the dashboard, the frame, the page and whose page it is, all at once. Each would
 * otherwise be asked for by the one before it, after that was read and run.
 */
const page = pageAt(location.pathname);
// Nobody has to be signed in for the gallery of parts, which is there in development only.
const isGallery = import.meta.env.DEV && location.pathname === "/gallery";
if (page.access !== "anybody" && !isGallery) {
  askWhoAtStart();
  void frameFile();
}
void pageFiles[page.file]();
void untilLoaded(() => import("./main.tsx"));
