import { type LicensedPart, licensedParts } from "./licence-texts.ts";
import styles from "./AboutPage.module.css";

/** What others wrote and the page contains, each with its licence to unfold. */
export function Licences() {
  return (
    <ul className={styles.parts}>
      {licensedParts.map((part) => (
        <li key={part.name}>
          {part.text === undefined ? (
            <div className={styles.bare}>
              <Part part={part} />
            </div>
          ) : (
            <details>
              <summary>
                <Part part={part} />
              </summary>
              <pre>{part.text}</pre>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function Part({ part }: { readonly part: LicensedPart }) {
  return (
    <>
      <span className={styles.name}>{part.name}</span> <code>{part.version}</code>{" "}
      <span className={styles.licence}>{part.licence}</span>
    </>
  );
}
