import { Section } from "../../ui/Section.tsx";
import styles from "./OverviewPage.module.css";

/** Nothing of this server changes a host yet, so nothing is about to change. It says so instead of showing an empty table. */
export function AboutToChange() {
  return (
    <Section title="About to change" count={0}>
      <p className={styles.none}>Nothing. This version of the server applies no plans, so it cannot change a host.</p>
    </Section>
  );
}
