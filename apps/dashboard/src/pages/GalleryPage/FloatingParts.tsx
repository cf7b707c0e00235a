import { LogOut, Monitor, Moon, MoreHorizontal, Puzzle, ScrollText, Sun } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { ErrorView } from "../../ui/ErrorView.tsx";
import { Field } from "../../ui/Field.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { Menu } from "../../ui/Menu.tsx";
import { Palette } from "../../ui/Palette.tsx";
import { Section } from "../../ui/Section.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { Tabs } from "../../ui/Tabs.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { toast } from "../../ui/toast-store.ts";
import { Tooltip } from "../../ui/Tooltip.tsx";
import styles from "./GalleryPage.module.css";

type Open = "dialog" | "confirm" | "danger" | "sheet" | "left" | "palette" | null;

export function FloatingParts() {
  const [open, setOpen] = useState<Open>(null);
  const [theme, setTheme] = useState("system");
  const [tab, setTab] = useState("all");
  const close = () => setOpen(null);
  return (
    <>
      <Section title="What floats">
        <div className={styles.stack}>
          <div className={styles.row}>
            <Button onClick={() => setOpen("dialog")}>Dialog</Button>
            <Button onClick={() => setOpen("confirm")}>Confirm</Button>
            <Button onClick={() => setOpen("danger")}>Confirm danger</Button>
            <Button onClick={() => setOpen("sheet")}>Sheet</Button>
            <Button onClick={() => setOpen("left")}>Left sheet</Button>
            <Button onClick={() => setOpen("palette")}>
              Palette <Kbd keys={["Ctrl", "K"]} />
            </Button>
            <Button
              onClick={() => toast("Token deploy-eu was revoked.", { action: { label: "Tokens", href: "/tokens" } })}
            >
              Toast
            </Button>
            <Menu
              trigger={<IconButton label="More" icon={<MoreHorizontal aria-hidden="true" />} />}
              groups={[
                {
                  key: "theme",
                  label: "Theme",
                  items: [
                    {
                      key: "light",
                      label: "Light",
                      icon: <Sun />,
                      chosen: theme === "light",
                      onSelect: () => setTheme("light"),
                    },
                    {
                      key: "dark",
                      label: "Dark",
                      icon: <Moon />,
                      chosen: theme === "dark",
                      onSelect: () => setTheme("dark"),
                    },
                    {
                      key: "system",
                      label: "As the system",
                      icon: <Monitor />,
                      chosen: theme === "system",
                      onSelect: () => setTheme("system"),
                    },
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
            <Tooltip words="Opens plan by plan, once active.">
              <Button size="small">Tooltip</Button>
            </Tooltip>
          </div>
        </div>
      </Section>
      <Section title="Tabs">
        <Tabs
          label="Plugins"
          value={tab}
          onChange={setTab}
          tabs={[
            { key: "all", label: "All", count: 9, panel: <p>Nine plugins.</p> },
            { key: "waiting", label: "Waiting for you", count: 2, panel: <p>Two wait.</p> },
            { key: "rejected", label: "Rejected", count: 1, panel: <p>One was turned away.</p> },
          ]}
        />
      </Section>
      <Dialog
        open={open === "dialog"}
        onClose={close}
        title="New token"
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="primary" onClick={close}>
              Create token
            </Button>
          </>
        }
      >
        <Field label="Name" hint="Shown in the audit log.">
          <TextInput />
        </Field>
      </Dialog>
      <ConfirmDialog
        open={open === "confirm"}
        onClose={close}
        onConfirm={close}
        title="Accept Edge Firewall 2.4.0"
        sentence="Edge Firewall 2.4.0 will be accepted for the digest c41f 8a02 9be7. Accepting runs nothing yet."
        confirm="Accept Edge Firewall 2.4.0"
      />
      <ConfirmDialog
        open={open === "danger"}
        onClose={close}
        onConfirm={close}
        look="danger"
        title="Remove user"
        sentence="Mara Lindqvist will be signed out everywhere and can no longer sign in. What she did stays in the audit log."
        confirm="Remove Mara Lindqvist"
        typed="mara"
        error={
          <ErrorView size="inline" title="Not removed" detail="She is the last admin." requestId="req_01k9x4t7qdm3v8" />
        }
      />
      <Sheet open={open === "sheet"} onClose={close} title="Record 48,213">
        <p>Everything about one record, with the list still there beneath it.</p>
      </Sheet>
      <Sheet open={open === "left"} onClose={close} title="Gatehouse" side="left">
        <p>Navigation on a phone.</p>
      </Sheet>
      <Palette
        open={open === "palette"}
        onClose={close}
        groups={[
          {
            key: "pages",
            label: "Pages",
            items: [
              { key: "plugins", label: "Plugins", icon: <Puzzle />, hint: "g p", onSelect: close },
              { key: "audit", label: "Audit", icon: <ScrollText />, hint: "g a", onSelect: close },
            ],
          },
          {
            key: "do",
            label: "Actions",
            items: [{ key: "dark", label: "Dark theme", icon: <Moon />, onSelect: close }],
          },
        ]}
      />
    </>
  );
}
