import { Empty } from "../../ui/Empty.tsx";
import { Link } from "../../ui/Link.tsx";

// Placed first: in a container the command line sees what lies in the plugin directory. Nothing of it is read before the restart.
const commands = `mv acme-hello plugins/
docker compose exec gatehouse gatehouse plugin verify /plugins/acme-hello --trust /etc/gatehouse/plugin-trust.json
docker compose restart gatehouse`;

/** The way from nothing to the first record. */
export function NoPlugins() {
  return (
    <Empty
      title="No plugins yet"
      command={commands}
      commandLabel={
        <>
          In the compose directory, with a bundle in <code>acme-hello</code>: place it whole, judge it by the trust
          policy, restart the server. Without a container it is{" "}
          <code>gatehouse plugin verify plugins/acme-hello --trust FILE</code>
        </>
      }
    >
      <p>
        A plugin is a signed bundle: a directory named after its id, with <code>manifest.json</code> and{" "}
        <code>artifact</code>, placed by you in the plugin directory. The server judges it at its next start against the
        trust policy (<code>SERVICE_PLUGIN_TRUST</code>); what it accepts appears here at the gate Activate, and nothing
        of it runs before you open that.
      </p>
      <p>
        The <Link href="/marketplace">marketplace</Link> lists plugins that exist. There is no remote install.
      </p>
    </Empty>
  );
}
