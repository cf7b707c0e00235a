import { type Role, roles, scopeNames, scopes, scopesOfRole } from "@gatehouse/contract";
import { Check } from "lucide-react";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { roleWords } from "./role-words.ts";
import styles from "./UsersPage.module.css";

/** The contract's own table of scopes and roles; without the room for it a list per role instead of a wide grid. */
export function RoleTable() {
  return (
    <div className={styles.roleBox}>
      <table className={styles.roles}>
        <caption>
          <VisuallyHidden>Scopes and the roles that hold them</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">Scope</th>
            <th scope="col">In words</th>
            {roles.map((role) => (
              <th key={role} scope="col" className={styles.mark}>
                {roleWords[role].label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {scopeNames.map((scope) => (
            <tr key={scope}>
              <th scope="row">
                <code>{scope}</code>
              </th>
              <td>{scopes[scope].says}</td>
              {roles.map((role) => (
                <td key={role} className={styles.mark}>
                  <Holds is={(scopes[scope].roles as readonly Role[]).includes(role)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.roleLists}>
        {roles.map((role) => (
          <details key={role}>
            <summary>
              <b>{roleWords[role].label}</b> <span className={styles.quiet}>{scopesOfRole(role).length} scopes</span>
              <span className={styles.hint}>{roleWords[role].hint}</span>
            </summary>
            <ul>
              {scopesOfRole(role).map((scope) => (
                <li key={scope}>
                  <code>{scope}</code> {scopes[scope].says}
                </li>
              ))}
            </ul>
          </details>
        ))}
      </div>
    </div>
  );
}

function Holds({ is }: { readonly is: boolean }) {
  return (
    <>
      {is ? <Check size={14} className={styles.holds} aria-hidden="true" /> : <span aria-hidden="true">–</span>}
      <VisuallyHidden>{is ? "holds it" : "does not"}</VisuallyHidden>
    </>
  );
}
