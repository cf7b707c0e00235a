import { LogOut, Monitor, Moon, MoreHorizontal, Puzzle, ScrollText, Sun } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { Menu, type MenuGroup } from "../../ui/Menu.tsx";
import { Palette } from "../../ui/Palette.tsx";
import { Section } from "../../ui/Section.tsx";
import { Tabs } from "../../ui/Tabs.tsx";
import { toast } from "../../ui/toast-store.ts";
import { Tooltip } from "../../ui/Tooltip.tsx";
import styles from "./GalleryPage.module.css";

const nothing = (): void => undefined;

const found = [
  { key: "plugins", group: "Pages", label: "Plugins", hint: "Plugins", icon: <Puzzle />, keys: ["g", "p"] },
  { key: "audit", group: "Pages", label: "Audit", hint: "Observe", icon: <ScrollText />, keys: ["g", "a"] },
  { key: "edge", group: "Plugins", label: "Firewall zones for the whole fleet", hint: "edge-firewall, active" },
  { key: "dark", group: "Actions", label: "Use the dark theme", icon: <Moon /> },
].map((item) => ({ ...item, onSelect: nothing }));

/** What runs something, and what says that it ran. */
export function CommandParts() {
  const [palette, setPalette] = useState<"full" | "reading">();
  return (
    <>
      <Section title="Menu, palette, toast">
        <div className={styles.stack}>
          <div className={styles.row}>
            <Menus />
            <Button onClick={() => setPalette("full")}>
              Palette <Kbd keys={["Ctrl", "K"]} />
            </Button>
            <Button onClick={() => setPalette("reading")}>Palette, reading</Button>
            <Tooltip words="Opens plan by plan, once active.">
              <Button>Tooltip</Button>
            </Tooltip>
          </div>
          <div className={styles.row}>
            <Button
              onClick={() => toast("Token deploy-eu was revoked.", { action: { label: "Tokens", href: "/tokens" } })}
            >
              Toast
            </Button>
            <Button onClick={() => toast("Edge Firewall did not start.", { state: "bad" })}>Toast of a failure</Button>
          </div>
        </div>
        <Palette
          open={palette !== undefined}
          onClose={() => setPalette(undefined)}
          items={palette === "full" ? found : []}
          busy={palette === "reading"}
          label="Find a page, a plugin or an action"
          none="Nothing is called that."
        />
      </Section>
      <TabParts />
    </>
  );
}

function Menus() {
  const [theme, setTheme] = useState("system");
  const choice = (key: string, label: string, icon: MenuGroup["items"][number]["icon"]) => ({
    key,
    label,
    icon,
    chosen: theme === key,
    onSelect: () => setTheme(key),
  });
  return (
    <Menu
      trigger={<IconButton label="Menu" icon={<MoreHorizontal aria-hidden="true" />} />}
      align="start"
      groups={[
        {
          key: "theme",
          label: "Theme",
          items: [
            choice("light", "Light", <Sun />),
            choice("dark", "Dark", <Moon />),
            choice("system", "As the system", <Monitor />),
          ],
        },
        {
          key: "more",
          items: [
            { key: "audit", label: "In the audit log", icon: <ScrollText />, href: "/audit", hint: "g a" },
            { key: "none", label: "Not now", disabled: true },
            { key: "out", label: "Sign out", icon: <LogOut />, danger: true },
          ],
        },
      ]}
    />
  );
}

function TabParts() {
  const [tab, setTab] = useState("all");
  return (
    <Section title="Tabs">
      <Tabs
        label="Plugins"
        value={tab}
        onChange={setTab}
        tabs={[
          { key: "all", label: "All", count: 9, panel: <p>Nine plugins.</p> },
          { key: "waiting", label: "Waiting for you", count: 2, panel: <p>Two wait.</p> },
          { key: "rejected", label: "Rejected", panel: <p>One was turned away.</p> },
        ]}
      />
    </Section>
  );
}
