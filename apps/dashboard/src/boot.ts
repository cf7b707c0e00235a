import "./ui/base.css";
import { pageFiles, pagePathOf } from "./page-files.ts";

/**
 * The first script, and small: it asks for the dashboard, the frame and the page at once. Each would otherwise be asked
 * for by the one before it, after that was read and run.
 */
const path = pagePathOf(location.pathname);
const late = path === "/login" ? [] : [pageFiles.frame()];
for (const file of [...late, pageFiles[path]()]) {
  // The router asks again for what did not come, and shows what is wrong.
  file.catch(() => undefined);
}
void import("./main.tsx");
