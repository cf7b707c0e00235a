import { useId, useState } from "react";
import type { NewEnrolment } from "../../api/enrolments.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { EnrolForm } from "./EnrolForm.tsx";
import { ManyCodes } from "./ManyCodes.tsx";
import { OneCode } from "./OneCode.tsx";

/** Asks what to make; then stays with the code until its host is here, or it has ended. */
export function EnrolDialog({ onClose }: { readonly onClose: () => void }) {
  const [made, setMade] = useState<readonly NewEnrolment[]>();
  const again = (): void => setMade(undefined);
  const [first] = made ?? [];
  if (made === undefined || first === undefined) return <AskDialog onClose={onClose} onMade={setMade} />;
  return made.length === 1 ? (
    <OneCode key={first.id} made={first} onClose={onClose} onAgain={again} />
  ) : (
    <ManyCodes key={first.id} made={made} onClose={onClose} onAgain={again} />
  );
}

interface AskDialogProps {
  readonly onClose: () => void;
  readonly onMade: (made: readonly NewEnrolment[]) => void;
}

function AskDialog({ onClose, onMade }: AskDialogProps) {
  const form = useId();
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Enrol a host"
      dismissable={!isBusy}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} look="primary" busy={isBusy}>
            Make the line
          </Button>
        </>
      }
    >
      <EnrolForm id={form} onMade={onMade} onBusy={setBusy} />
    </Dialog>
  );
}
