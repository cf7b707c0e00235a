import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { ErrorView } from "../../ui/ErrorView.tsx";
import { Field } from "../../ui/Field.tsx";
import { Section } from "../../ui/Section.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import styles from "./GalleryPage.module.css";

/** One button for each; the tests press them by these names. */
const floating = {
  dialog: "Dialog",
  wide: "Wide dialog",
  kept: "Dialog that waits",
  confirm: "Confirm",
  danger: "Confirm by name",
  busy: "Confirm at work",
  sheet: "Sheet",
  left: "Left sheet",
} as const;
type Open = keyof typeof floating;

export function FloatingParts() {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const props = (name: Open) => ({ open: open === name, onClose: close });
  return (
    <Section title="Dialogs and sheets">
      <div className={styles.stack}>
        <div className={styles.row}>
          {(Object.keys(floating) as Open[]).map((name) => (
            <Button key={name} onClick={() => setOpen(name)}>
              {floating[name]}
            </Button>
          ))}
        </div>
      </div>
      <Dialog
        {...props("dialog")}
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
      <Dialog {...props("wide")} size="wide" title="What each role may do">
        <p>For what needs two columns: a difference side by side, or a table of scopes.</p>
      </Dialog>
      <Dialog {...props("kept")} dismissable={false} title="The token is shown once">
        <p>Neither Escape nor a press outside closes this one: leaving would lose what is shown.</p>
        <p className={styles.after}>
          <Button onClick={close}>I have kept it</Button>
        </p>
      </Dialog>
      <Confirms {...{ props, close }} />
      <Sheet {...props("sheet")} title="Record 48,213">
        <p>Everything about one record, with the list still there beneath it.</p>
      </Sheet>
      <Sheet {...props("left")} title="Gatehouse" side="left">
        <p>Navigation on a phone.</p>
      </Sheet>
    </Section>
  );
}

type ConfirmsProps = { props: (name: Open) => { open: boolean; onClose: () => void }; close: () => void };

function Confirms({ props, close }: ConfirmsProps) {
  return (
    <>
      <ConfirmDialog
        {...props("confirm")}
        onConfirm={close}
        title="Accept Edge Firewall 2.4.0"
        sentence="Edge Firewall 2.4.0 will be accepted for the digest c41f 8a02 9be7. Accepting runs nothing yet."
        confirm="Accept Edge Firewall 2.4.0"
      />
      <ConfirmDialog
        {...props("danger")}
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
      <ConfirmDialog
        open={props("busy").open}
        // Nothing ends the work here, so the gallery lets it be closed in the middle.
        onClose={close}
        onConfirm={close}
        busy
        title="Revoke deploy-eu"
        sentence="Your token deploy-eu stops working at once."
        confirm="Revoke deploy-eu"
        look="danger"
      >
        <p>
          <Button look="bare" onClick={close}>
            Leave the example
          </Button>
        </p>
      </ConfirmDialog>
    </>
  );
}
