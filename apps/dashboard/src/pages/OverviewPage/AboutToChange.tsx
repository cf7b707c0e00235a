import { Section } from "../../ui/Section.tsx";
import styles from "./OverviewPage.module.css";

/** Nothing of this server changes a host yet, so nothing is about to change. It says so instead of showing an empty table. */
export function AboutToChange() {
  return (
    <Section title="About to change" count={0}>
      <p className={styles.none}>Nothing. This server holds no hosts and no plans yet, so it cannot change a host.</p>
    </Section>
  );
}
