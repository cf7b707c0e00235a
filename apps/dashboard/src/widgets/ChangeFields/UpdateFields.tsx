import { ArtifactField } from "./ArtifactField.tsx";
import type { ChangeFieldsProps } from "./change-fields.ts";
import type { UpdateChange } from "./host-change.ts";
import { releaseChoice } from "./release-choices.ts";

/** Which release of those that are here whole the agent of the hosts becomes. */
export function UpdateFields({ change, wrong, onChange }: ChangeFieldsProps<UpdateChange>) {
  return (
    <ArtifactField
      label="To"
      hint="A host takes it when it is later than its agent, and signed by the key that this agent was built with. It restarts by itself."
      choice={releaseChoice}
      chosen={change.release}
      wrong={wrong.release}
      onChoose={(release) => onChange({ ...change, release })}
    />
  );
}
