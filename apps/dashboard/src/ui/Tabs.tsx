import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import styles from "./Tabs.module.css";

export type Tab = { key: string; label: ReactNode; count?: number | undefined; panel: ReactNode };

export type TabsProps = {
  label: string;
  tabs: readonly Tab[];
  /** Held by the page, so that the address can carry it. */
  value: string;
  onChange: (key: string) => void;
};

/** Views of one thing. Arrow keys move between the tabs; on a phone the row scrolls sideways. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  return (
    <Base.Root value={value} onValueChange={(key) => onChange(String(key))}>
      <Base.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.key} value={tab.key} className={styles.tab}>
            {tab.label}
            {tab.count !== undefined && <span className={styles.count}>{tab.count.toLocaleString("en-GB")}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.key} value={tab.key} className={styles.panel}>
          {tab.panel}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
