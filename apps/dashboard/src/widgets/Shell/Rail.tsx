import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useWhoAmI } from "../../api/auth.ts";
import { contributionsQuery } from "../../api/plugins.ts";
import { versionQuery } from "../../api/version.ts";
import { Brand } from "../Brand/Brand.tsx";
import { type Place, placeGroups, placesFor } from "../places.ts";
import { PlaceIcon } from "./PlaceIcon.tsx";
import styles from "./Rail.module.css";

/** Every page one may use, and the pages of active plugins among them. */
export function Rail({ onLeave }: { readonly onLeave?: () => void }) {
  const { scopes } = useWhoAmI();
  const mine = placesFor(scopes);
  const contributed = useQuery(contributionsQuery).data?.items.filter(({ kind }) => kind === "nav") ?? [];
  const version = useQuery(versionQuery).data?.version;
  const entry = ({ to, label }: Place) => (
    <li key={to}>
      <Link to={to} activeOptions={{ exact: to === "/", includeSearch: false }} onClick={onLeave}>
        <PlaceIcon name={to} />
        {label}
      </Link>
    </li>
  );
  return (
    <nav className={styles.rail} aria-label="Main">
      <Link className={styles.brand} to="/" onClick={onLeave}>
        <Brand />
      </Link>
      <ul>{mine.filter(({ group }) => group === null).map(entry)}</ul>
      {placeGroups.map((group) => {
        const entries = mine.filter((place) => place.group === group);
        if (entries.length === 0) return null;
        return (
          <section key={group} aria-labelledby={`rail-${group}`}>
            <h2 id={`rail-${group}`}>{group}</h2>
            <ul>
              {entries.map(entry)}
              {group === "Plugins" &&
                contributed.map(({ plugin, path, title }) => (
                  <li key={`${plugin} ${path}`}>
                    <Link to="/apps/$" params={{ _splat: appPathOf(path) }} onClick={onLeave}>
                      <PlaceIcon name="plugin" />
                      {title ?? plugin}
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

/** What stands after `/apps/`. */
function appPathOf(path: string | null): string {
  return (path ?? "").replace(/^\/(apps\/)?/, "");
}
