import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMay, useWhoAmI } from "../../api/auth.ts";
import { waitingPlansQuery } from "../../api/plans.ts";
import { versionQuery } from "../../api/version.ts";
import { type MenuPage, menuGroups, menuPagesFor } from "../../page-table.ts";
import { Mark } from "../../ui/StateMark.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { Brand } from "../Brand/Brand.tsx";
import { useContributedPages } from "../contributed-pages.ts";
import { PageIcon } from "./PageIcon.tsx";
import styles from "./Rail.module.css";

/** Every page one may use, and the pages of active plugins among them. */
export function Rail({ onLeave }: { readonly onLeave?: () => void }) {
  const { scopes } = useWhoAmI();
  const mine = menuPagesFor(scopes);
  const contributed = useContributedPages();
  const leave = onLeave === undefined ? {} : { onClick: onLeave };
  const version = useQuery(versionQuery).data?.version;
  const entry = ({ path, title, menu }: MenuPage) => (
    <li key={path}>
      <Link to={path} activeOptions={{ exact: path === "/", includeSearch: false }} {...leave}>
        <PageIcon name={menu.icon} />
        {title}
      </Link>
      {path === "/approvals" && <WaitingPlans />}
    </li>
  );
  return (
    <nav className={styles.rail} aria-label="Main">
      <Link className={styles.brand} to="/" {...leave}>
        <Brand />
      </Link>
      <ul>{mine.filter(({ menu }) => menu.group === null).map(entry)}</ul>
      {menuGroups.map((group) => {
        const entries = mine.filter(({ menu }) => menu.group === group);
        if (entries.length === 0) return null;
        return (
          <section key={group} aria-labelledby={`rail-${group}`}>
            <h2 id={`rail-${group}`}>{group}</h2>
            <ul>
              {entries.map(entry)}
              {group === "Plugins" &&
                contributed.map(({ plugin, path, label }) => (
                  <li key={`${plugin} ${path}`}>
                    <Link to="/apps/$" params={{ _splat: path }} {...leave}>
                      <PageIcon name="Waypoints" />
                      {label}
                    </Link>
                  </li>
                ))}
            </ul>
          </section>
        );
      })}
      <footer className={styles.foot}>
        {location.host}
        {version !== undefined && <span>Server {version}</span>}
      </footer>
    </nav>
  );
}

/** How many plans wait for the reader's word. */
function WaitingPlans() {
  const mayApprove = useMay("plan:approve");
  const { data } = useQuery({ ...waitingPlansQuery, enabled: mayApprove });
  const count = data?.items.length ?? 0;
  if (count === 0) return null;
  const orMore = data?.nextCursor === null ? "" : " or more";
  return (
    <span className={styles.count}>
      <VisuallyHidden>{`${count}${orMore} ${count === 1 ? "plan waits" : "plans wait"} for you`}</VisuallyHidden>
      <span aria-hidden="true">
        <Mark state="wait" size={9} /> {count}
        {orMore !== "" && "+"}
      </span>
    </span>
  );
}
