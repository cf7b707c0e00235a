import { isComponentKey, componentKeys } from "@gatehouse/contract";
import type { Plugin, PluginContribution } from "@gatehouse/contract/routes";
import { Link } from "../../ui/Link.tsx";
import { List, ListItem } from "../../ui/List.tsx";
import { Section } from "../../ui/Section.tsx";
import styles from "./PluginPage.module.css";

/** Why a part of the dashboard that the plugin offers is not there. */
function whyHidden({ reason, detail, scope, component }: PluginContribution): string {
  if (detail !== undefined) return `Never shown: ${detail}.`;
  switch (reason) {
    case "unauthorized":
      return `Not shown to you: it needs the scope ${scope ?? "of its surface"}.`;
    case "unknown":
      return `Never shown: this dashboard has no component ${component}.`;
    case "stale":
      return "Not shown: only an active plugin contributes.";
    case "failed":
      return "Not shown: its runtime is not armed.";
    case undefined:
      return "Not shown.";
  }
}

export function Contributions({ plugin }: { readonly plugin: Plugin }) {
  const { contributions } = plugin;
  return (
    <Section title="What it adds to this dashboard" count={contributions.length}>
      {contributions.length === 0 ? (
        <p className={styles.empty}>Nothing: no page and no layer.</p>
      ) : (
        <List>
          {contributions.map((one) => (
            <ListItem
              key={`${one.kind} ${one.component}`}
              state={one.visible ? "ok" : "idle"}
              stateWord={one.visible ? "Shown" : "Not shown"}
              title={
                <>
                  {one.title ?? one.component}{" "}
                  <span className={styles.quiet}>
                    {one.kind === "nav" ? "page" : `on ${one.surface ?? "a surface"}`}
                  </span>
                </>
              }
              line={
                <>
                  {one.visible ? shownLine(one) : whyHidden(one)} <code>{one.component}</code>
                </>
              }
            />
          ))}
        </List>
      )}
    </Section>
  );
}

function shownLine({ path, component }: PluginContribution) {
  const says = isComponentKey(component) ? componentKeys[component].says : "";
  return path === null ? (
    <>Shown. {says}</>
  ) : (
    <>
      Shown at {<Link href={path}>{path}</Link>}. {says}
    </>
  );
}
