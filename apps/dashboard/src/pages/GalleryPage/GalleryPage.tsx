import { Button } from "../../ui/Button.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Toaster } from "../../ui/Toaster.tsx";
import { FloatingParts } from "./FloatingParts.tsx";
import { FormParts } from "./FormParts.tsx";
import { ReadingParts } from "./ReadingParts.tsx";
import { StateParts } from "./StateParts.tsx";
import { TableParts } from "./TableParts.tsx";
import styles from "./GalleryPage.module.css";

/** Every part in every state, for development only: what looks wrong here looks wrong everywhere. */
export function GalleryPage() {
  return (
    <main className={styles.page}>
      <PageHead title="Gallery" meta="Every part, in every state, in both themes" />
      <div className={styles.bar}>
        {["light", "dark", "system"].map((theme) => (
          <Button key={theme} size="small" onClick={() => document.documentElement.setAttribute("data-theme", theme)}>
            Theme: {theme}
          </Button>
        ))}
      </div>
      <div className={styles.grid}>
        <FormParts />
        <StateParts />
        <FloatingParts />
        <ReadingParts />
        <TableParts />
      </div>
      <Toaster />
    </main>
  );
}
