import { Plus } from "lucide-react";
import { Button } from "../../ui/Button.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { asTyped } from "../../widgets/ChangeFields/change-fields.ts";
import { FormGroup, FormRow } from "./FormRow.tsx";
import { type FirewallFields, readFirewall, type ServiceRow, type ZoneRow } from "./firewall-form.ts";
import styles from "./NewPlanPage.module.css";

export interface FirewallFormProps {
  readonly fields: FirewallFields;
  readonly isTried: boolean;
  readonly onFields: (fields: FirewallFields) => void;
}

const nextKey = (rows: readonly { readonly key: number }[]) => Math.max(0, ...rows.map(({ key }) => key)) + 1;

/** Who asks, and what is asked for: the form of netguard's input. */
export function FirewallForm({ fields, isTried, onFields }: FirewallFormProps) {
  const { zones, services, ssh, control } = fields;
  const wrong = isTried ? readFirewall(fields).wrong : {};
  const set = (more: Partial<FirewallFields>): void => onFields({ ...fields, ...more });
  const setZone = (row: ZoneRow) => set({ zones: zones.map((one) => (one.key === row.key ? row : one)) });
  const setService = (row: ServiceRow) => set({ services: services.map((one) => (one.key === row.key ? row : one)) });
  return (
    <>
      <FormGroup title="Zones" says="who asks: networks, an interface, or both at once">
        {zones.map((row, at) => (
          <FormRow
            key={row.key}
            look="zone"
            wrong={wrong[`zone ${row.key}`]}
            onRemove={() => set({ zones: zones.filter(({ key }) => key !== row.key) })}
            removes={`Remove zone ${at + 1}`}
          >
            {(links) => (
              <>
                <TextInput
                  {...asTyped}
                  {...links}
                  aria-label={`Name of zone ${at + 1}`}
                  placeholder="office"
                  value={row.name}
                  onChange={({ target }) => setZone({ ...row, name: target.value })}
                />
                <TextInput
                  {...asTyped}
                  {...links}
                  mono
                  aria-label={`Networks of zone ${at + 1}`}
                  placeholder="198.51.100.0/24, wg0"
                  value={row.members}
                  onChange={({ target }) => setZone({ ...row, members: target.value })}
                />
              </>
            )}
          </FormRow>
        ))}
        <p className={styles.always}>
          <span>any</span> everybody, always there
        </p>
        <Add onAdd={() => set({ zones: [...zones, { key: nextKey(zones), name: "", members: "" }] })}>Zone</Add>
      </FormGroup>
      <FormGroup title="Services" says="what is asked for, from which zones, and on hosts with which tag">
        <div className={styles.columnHeads} aria-hidden="true">
          <span>Name</span>
          <span>Ports</span>
          <span>From</span>
          <span>Only on tag</span>
        </div>
        <FormRow look="service" wrong={wrong["ssh"]}>
          {(links) => (
            <>
              <span className={styles.fixed}>ssh</span>
              <TextInput
                {...asTyped}
                {...links}
                aria-label="Ports of SSH"
                value={ssh.ports}
                onChange={({ target }) => set({ ssh: { ...ssh, ports: target.value } })}
              />
              <TextInput
                {...asTyped}
                {...links}
                aria-label="Zones of SSH"
                placeholder="any"
                value={ssh.from}
                onChange={({ target }) => set({ ssh: { ...ssh, from: target.value } })}
              />
              <span className={styles.fixed}>every host</span>
            </>
          )}
        </FormRow>
        {services.map((row, at) => (
          <FormRow
            key={row.key}
            look="service"
            wrong={wrong[`service ${row.key}`]}
            onRemove={() => set({ services: services.filter(({ key }) => key !== row.key) })}
            removes={`Remove service ${at + 1}`}
          >
            {(links) =>
              serviceColumns.map(({ field, label, placeholder }) => (
                <TextInput
                  key={field}
                  {...asTyped}
                  {...links}
                  aria-label={`${label} of service ${at + 1}`}
                  placeholder={placeholder}
                  value={row[field]}
                  onChange={({ target }) => setService({ ...row, [field]: target.value })}
                />
              ))
            }
          </FormRow>
        ))}
        <Add
          onAdd={() =>
            set({ services: [...services, { key: nextKey(services), name: "", ports: "", from: "", tags: "" }] })
          }
        >
          Service
        </Add>
      </FormGroup>
      <details className={styles.details} open={`${control.ports}${control.tags}` !== "" || undefined}>
        <summary>Hosts that carry the Gatehouse server</summary>
        <p className={styles.quiet}>Hosts that only run an agent call out, and need nothing here.</p>
        <FormRow look="zone" wrong={wrong["control"]}>
          {(links) => (
            <>
              <TextInput
                {...asTyped}
                {...links}
                aria-label="Ports of the server"
                placeholder="443"
                value={control.ports}
                onChange={({ target }) => set({ control: { ...control, ports: target.value } })}
              />
              <TextInput
                {...asTyped}
                {...links}
                aria-label="Tag of the hosts that carry the server"
                placeholder="on hosts with this tag"
                value={control.tags}
                onChange={({ target }) => set({ control: { ...control, tags: target.value } })}
              />
            </>
          )}
        </FormRow>
      </details>
    </>
  );
}

const serviceColumns = [
  { field: "name", label: "Name", placeholder: "web" },
  { field: "ports", label: "Ports", placeholder: "tcp 80, 443" },
  { field: "from", label: "Zones", placeholder: "any" },
  { field: "tags", label: "Tags", placeholder: "all" },
] as const;

function Add({ onAdd, children }: { readonly onAdd: () => void; readonly children: string }) {
  return (
    <div>
      <Button look="bare" size="small" icon={<Plus aria-hidden="true" />} onClick={onAdd}>
        {children}
      </Button>
    </div>
  );
}
