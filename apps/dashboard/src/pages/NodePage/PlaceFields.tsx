import { Field } from "../../ui/Field.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import type { TypedPlace } from "../../widgets/Fleet/place-text.ts";
import styles from "./NodePage.module.css";

export interface PlaceFieldsProps {
  readonly place: TypedPlace;
  readonly wrong: Partial<Record<keyof TypedPlace, string>> | undefined;
  readonly onPlace: (place: TypedPlace) => void;
}

/** Where the host is, as somebody knows it. Empty fields leave it to the lookup. */
export function PlaceFields({ place, wrong, onPlace }: PlaceFieldsProps) {
  const input = (name: keyof TypedPlace) => (
    <TextInput
      value={place[name]}
      inputMode={name === "label" ? "text" : "decimal"}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onPlace({ ...place, [name]: event.target.value })}
    />
  );
  return (
    <fieldset className={styles.place}>
      <legend>Place on the map</legend>
      <Field label="Latitude" optional hint="North is above 0: 50.11" error={wrong?.latitude}>
        {input("latitude")}
      </Field>
      <Field label="Longitude" optional hint="East is above 0: 8.68" error={wrong?.longitude}>
        {input("longitude")}
      </Field>
      <Field
        label="Label"
        optional
        hint="What people call the place. Empty fields take away what was set by hand."
        error={wrong?.label}
      >
        {input("label")}
      </Field>
    </fieldset>
  );
}
