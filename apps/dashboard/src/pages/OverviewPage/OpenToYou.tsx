import { useQuery } from "@tanstack/react-query";
import { contributionsQuery } from "../../api/plugins.ts";
import { List, ListItem } from "../../ui/List.tsx";
import { Section } from "../../ui/Section.tsx";

/** For those who may not move plugins: what active plugins show them. */
export function OpenToYou() {
  const pages =
    useQuery(contributionsQuery).data?.items.filter(({ kind, path }) => kind === "nav" && path !== null) ?? [];
  return (
    <Section title="Open to you" count={pages.length + 1}>
      <List>
        {pages.map(({ plugin, path, title }) => (
          <ListItem
            key={`${plugin} ${path}`}
            state="ok"
            stateWord="Active"
            title={title ?? plugin}
            href={path ?? undefined}
            line={
              <>
                A page of the active plugin <code>{plugin}</code>.
              </>
            }
          />
        ))}
        <ListItem
          state="quiet"
          stateWord="To read"
          title="Marketplace"
          href="/marketplace"
          line="Plugins that exist, and how somebody places one by hand."
        />
      </List>
    </Section>
  );
}
