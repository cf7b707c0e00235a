import type { Node } from "@gatehouse/contract/routes";
import { useId } from "react";
import { Field, FieldError } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { asTyped } from "../../widgets/ChangeFields/change-fields.ts";
import { FormGroup, FormRow } from "./FormRow.tsx";
import styles from "./NewPlanPage.module.css";
import { tellsOutside } from "./network-hosts.ts";
import { NotNamed } from "./NotNamed.tsx";
import {
  addressesOfRow,
  type HostFields,
  type HostRow,
  hostRowsOf,
  hubOf,
  type NetworkHosts,
  readNetwork,
  type WireguardFields,
} from "./wireguard-form.ts";

export interface WireguardFormProps {
  readonly fields: WireguardFields;
  readonly hosts: NetworkHosts;
  readonly isTried: boolean;
  readonly onFields: (fields: WireguardFields) => void;
  readonly onLeaveOut: (ids: readonly string[]) => void;
}

const shapes = [
  { value: "mesh", label: "Mesh: every host with every other" },
  { value: "hub", label: "Hub: all hosts with one of them" },
] as const;

/** The network, and each host's place in it: the form of wireguard's input. */
export function WireguardForm({ fields, hosts, isTried, onFields, onLeaveOut }: WireguardFormProps) {
  const wrong = isTried ? readNetwork(fields, hosts).wrong : {};
  const rows = hostRowsOf(fields, hosts);
  const set = (more: Partial<WireguardFields>): void => onFields({ ...fields, ...more });
  const setHost = (id: string) => (more: HostFields) =>
    set({ hosts: { ...fields.hosts, [id]: { ...fields.hosts[id], ...more } } });
  return (
    <>
      <div className={styles.pair}>
        {textFields.map(({ field, label, placeholder, most, ...of }) => (
          <Field key={field} label={label} optional={"optional" in of} error={wrong[field]}>
            <TextInput
              mono
              {...asTyped}
              placeholder={placeholder}
              maxLength={most}
              value={fields[field]}
              onChange={({ target }) => set({ [field]: target.value })}
            />
          </Field>
        ))}
      </div>
      <NotNamed
        hosts={hosts.asked}
        change={{ kind: "network.wireguard", interface: fields.interface.trim() }}
        onLeaveOut={onLeaveOut}
      />
      <Field label="Shape" hint={fields.form === "hub" ? hubHint : undefined}>
        <Select
          options={shapes}
          value={fields.form}
          onChange={({ target }) => set({ form: target.value === "hub" ? "hub" : "mesh" })}
        />
      </Field>
      {fields.form === "hub" && rows.length > 0 && (
        <Field label="Hub">
          <Select
            options={rows.map(({ host: { id, name } }) => ({ value: id, label: name }))}
            value={hubOf(fields, rows)}
            onChange={({ target }) => set({ hub: target.value })}
          />
        </Field>
      )}
      <FormGroup title="Places" says="each host’s number in the ranges, which it keeps">
        {rows.length > 0 && (
          <div className={styles.peerHeads} aria-hidden="true">
            <span>Number</span>
            <span>Reached at</span>
            <span>Port</span>
          </div>
        )}
        {rows.map((row) => (
          <Place
            key={row.host.id}
            row={row}
            fields={fields}
            wrong={wrong[`host ${row.host.id}`]}
            onHost={setHost(row.host.id)}
          />
        ))}
        <Together wrong={wrong["hosts"]} isEmpty={rows.length === 0} />
        <p className={styles.quiet}>
          Without an address a host is behind a router, and calls the others. Who is not chosen above is no part of the
          network afterwards.
        </p>
        <p className={styles.quiet}>
          No key is typed: each host makes its own and tells the public half when it is read.
        </p>
      </FormGroup>
    </>
  );
}

const hubHint = "It passes packets on only if its kernel forwards them.";

const textFields = [
  { field: "name", label: "Name", placeholder: "office", most: 32 },
  { field: "interface", label: "Interface", placeholder: "wg0", most: 14 },
  { field: "range4", label: "IPv4 range", placeholder: "10.77.0.0/24", most: 18 },
  { field: "range6", label: "IPv6 range", placeholder: "fd77::/64", most: 43, optional: true },
  { field: "port", label: "Port, udp", placeholder: "51820", most: 5 },
  { field: "mtu", label: "MTU", placeholder: "1420", most: 4, optional: true },
] as const;

interface PlaceProps {
  readonly row: HostRow;
  readonly fields: WireguardFields;
  readonly wrong: string | undefined;
  readonly onHost: (more: HostFields) => void;
}

/** Which number a host has, and where the others reach it. What it told of itself is a press away. */
function Place({ row, fields, wrong, onHost }: PlaceProps) {
  const list = useId();
  const { host, number, address, port } = row;
  return (
    <FormRow look="peer" wrong={wrong}>
      {(links) => (
        <>
          <p>
            <b>{host.name}</b> <span className={styles.quiet}>{addressesOfRow(row, fields).join(", ")}</span>
          </p>
          <TextInput
            {...asTyped}
            {...links}
            mono
            inputMode="numeric"
            maxLength={5}
            aria-label={`Number of ${host.name}`}
            value={number}
            onChange={({ target }) => onHost({ number: target.value })}
          />
          <TextInput
            {...asTyped}
            {...links}
            mono
            list={list}
            maxLength={39}
            aria-label={`Address at which ${host.name} is reached`}
            placeholder="behind a router"
            value={address}
            onChange={({ target }) => onHost({ address: target.value })}
          />
          <TextInput
            {...asTyped}
            {...links}
            mono
            inputMode="numeric"
            maxLength={5}
            aria-label={`Port at which ${host.name} is reached`}
            value={address.trim() === "" ? "" : port}
            disabled={address.trim() === ""}
            onChange={({ target }) => onHost({ port: target.value })}
          />
          <datalist id={list}>
            {addressesTold(host).map((text) => (
              <option key={text} value={text} />
            ))}
          </datalist>
        </>
      )}
    </FormRow>
  );
}

function Together({ wrong, isEmpty }: { readonly wrong: string | undefined; readonly isEmpty: boolean }) {
  return (
    <>
      {isEmpty && wrong === undefined && <p className={styles.quiet}>Choose hosts above: each has its place here.</p>}
      <FieldError id={useId()} error={wrong} />
    </>
  );
}

function addressesTold({ address, facts }: Pick<Node, "address" | "facts">): readonly string[] {
  return tellsOutside([...new Set([...(facts?.addresses ?? []), ...(address === null ? [] : [address])])], []);
}
