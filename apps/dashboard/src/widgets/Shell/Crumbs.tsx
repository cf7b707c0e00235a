import { useLocation } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { menuPages } from "../../page-table.ts";
import { Link } from "../../ui/Link.tsx";
import { useShownTitle } from "../PageTitle/page-title.ts";
import styles from "./TopBar.module.css";

interface Crumb {
  readonly label: string;
  readonly href?: string;
}

/** Group, page and object; the last is where one is. */
export function Crumbs() {
  const { pathname } = useLocation();
  const crumbs = [...crumbsBefore(pathname), { label: useShownTitle() }];
  return (
    <nav className={styles.crumbs} aria-label="Breadcrumb">
      <ol>
        {crumbs.map(({ label, href }, at) => (
          <li key={`${at} ${label}`}>
            {at > 0 && <ChevronRight size={12} aria-hidden="true" />}
            {href !== undefined ? (
              <Link href={href} look="bare">
                {label}
              </Link>
            ) : (
              <span aria-current={at === crumbs.length - 1 ? "page" : undefined}>{label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function crumbsBefore(pathname: string): readonly Crumb[] {
  if (pathname.startsWith("/apps/")) return [{ label: "Plugins" }];
  const page = menuPages.find(({ path }) => path !== "/" && (pathname === path || pathname.startsWith(`${path}/`)));
  if (page === undefined || page.menu.group === null) return [];
  const group = { label: page.menu.group };
  return pathname === page.path ? [group] : [group, { label: page.title, href: page.path }];
}
