import { Button } from "../../ui/Button.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Toaster } from "../../ui/Toaster.tsx";
import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";
import { chooseTheme, themes, themeWords } from "../../widgets/Theme/theme.ts";
import { ChartParts } from "./ChartParts.tsx";
import { CommandParts } from "./CommandParts.tsx";
import { FloatingParts } from "./FloatingParts.tsx";
import { FormParts } from "./FormParts.tsx";
import { ReadingParts } from "./ReadingParts.tsx";
import { StateParts } from "./StateParts.tsx";
import { TableParts } from "./TableParts.tsx";
import styles from "./GalleryPage.module.css";

/** Every part in every state, for development only: what looks wrong here looks wrong everywhere. */
export function GalleryPage() {
  usePageTitle("Gallery");
  return (
    <main className={styles.page}>
      <PageHead
        title="Gallery"
        meta="Every part, in every state, in both themes"
        actions={themes.map((theme) => (
          <Button key={theme} size="small" onClick={() => chooseTheme(theme)}>
            {themeWords[theme]}
          </Button>
        ))}
      />
      <div className={styles.grid}>
        <FormParts />
        <StateParts />
        <FloatingParts />
        <CommandParts />
        <ReadingParts />
        <ChartParts />
        <TableParts />
      </div>
      <Toaster />
    </main>
  );
}
