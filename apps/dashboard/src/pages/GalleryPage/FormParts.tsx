import { Moon, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { Checkbox, CheckboxGroup, RadioGroup } from "../../ui/Choices.tsx";
import { Field } from "../../ui/Field.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Link } from "../../ui/Link.tsx";
import { PasswordInput } from "../../ui/PasswordInput.tsx";
import { Section } from "../../ui/Section.tsx";
import { Select } from "../../ui/Select.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import styles from "./GalleryPage.module.css";

export function FormParts() {
  return (
    <>
      <Buttons />
      <Inputs />
      <ChoiceParts />
    </>
  );
}

function Buttons() {
  return (
    <Section title="Buttons and links">
      <div className={styles.stack}>
        <div className={styles.row}>
          <Button look="primary">Accept 2.4.0</Button>
          <Button>Open plugin</Button>
          <Button look="danger" icon={<Trash2 aria-hidden="true" />}>
            Revoke
          </Button>
          <Button look="bare">Cancel</Button>
          <IconButton label="Theme" icon={<Moon aria-hidden="true" />} />
          <IconButton size="small" label="Small" icon={<Moon aria-hidden="true" />} />
          <IconButton label="Not now" icon={<Moon aria-hidden="true" />} disabled />
        </div>
        <div className={styles.row}>
          <Button look="primary" busy>
            Accepting
          </Button>
          <Button busy>Reading</Button>
          <Button look="primary" disabled>
            Accept
          </Button>
          <Button disabled>Open</Button>
          <Button look="danger" disabled>
            Revoke
          </Button>
        </div>
        <div className={styles.row}>
          <Button size="small" icon={<Plus aria-hidden="true" />}>
            New token
          </Button>
          <ButtonLink href="/gallery" size="small">
            A link that looks like one
          </ButtonLink>
          <Button look="danger-solid" size="small">
            Remove user
          </Button>
          <Button look="danger-solid" size="small" busy>
            Removing
          </Button>
        </div>
        <Button look="primary" wide>
          As wide as its place
        </Button>
        <p>
          A <Link href="/gallery">link in the accent</Link>, a{" "}
          <Link href="/gallery" look="quiet">
            quiet one
          </Link>{" "}
          and{" "}
          <Link href="/gallery" look="count">
            4 decisions
          </Link>{" "}
          in a sentence.
        </p>
      </div>
    </Section>
  );
}

function Inputs() {
  return (
    <Section title="Fields">
      <div className={styles.stack}>
        <Field label="Name" hint="Shown in the audit log. It cannot be changed later.">
          <TextInput placeholder="deploy-eu" />
        </Field>
        <Field
          label="Plugin id"
          required
          error="An id is 3 to 64 small letters, digits and hyphens. “Edge FW” has a space."
        >
          <TextInput mono defaultValue="Edge FW" />
        </Field>
        <Field label="Password" aside={<Link href="/gallery">Forgotten?</Link>}>
          <PasswordInput defaultValue="correct horse" />
        </Field>
        <Field label="Expires" optional>
          <Select
            options={[
              { value: "30", label: "In 30 days" },
              { value: "90", label: "In 90 days" },
              { value: "0", label: "Never", disabled: true },
            ]}
          />
        </Field>
        <Field label="Reason">
          <TextArea placeholder="Why this is done" />
        </Field>
        <Field label="Disabled">
          <TextInput disabled defaultValue="kept as it was" />
        </Field>
        <Field label="Read only">
          <TextInput readOnly defaultValue="mara" />
        </Field>
        <Field label="Role" error="Choose a role.">
          <Select options={[{ value: "", label: "None yet" }]} />
        </Field>
      </div>
    </Section>
  );
}

function ChoiceParts() {
  const [scopes, setScopes] = useState<readonly string[]>(["plugins:read"]);
  const [role, setRole] = useState<string | null>("operator");
  const [on, setOn] = useState(true);
  return (
    <Section title="Choices">
      <div className={styles.stack}>
        <CheckboxGroup
          legend="Scopes"
          hint="A token can do no more than these."
          columns
          value={scopes}
          onChange={setScopes}
          options={[
            { value: "plugins:read", label: <code>plugins:read</code>, hint: "List plugins and their state." },
            { value: "plugins:admin", label: <code>plugins:admin</code>, hint: "Accept, arm and close." },
            { value: "audit:read", label: <code>audit:read</code> },
            { value: "users:admin", label: <code>users:admin</code>, hint: "You do not have it.", disabled: true },
          ]}
          error={scopes.length === 0 ? "Choose at least one scope." : undefined}
        />
        <RadioGroup
          legend="Role"
          value={role}
          onChange={setRole}
          options={[
            { value: "viewer", label: "Viewer", hint: "Reads everything, changes nothing." },
            { value: "operator", label: "Operator", hint: "Takes plugins through their gates." },
            { value: "admin", label: "Admin", disabled: true },
          ]}
        />
        <RadioGroup
          legend="Ends"
          error="Say when it ends."
          value={null}
          onChange={setRole}
          options={[{ value: "week", label: "In a week" }]}
        />
        <Checkbox label="Show closed plugins" checked={on} onChange={setOn} />
        <Checkbox kind="switch" label="Follow new entries" hint="Takes effect at once." checked={on} onChange={setOn} />
        <Checkbox kind="switch" label="Switched off for you" checked={false} onChange={setOn} disabled />
      </div>
    </Section>
  );
}
