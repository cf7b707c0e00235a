import { Empty } from "../../ui/Empty.tsx";
import { Link } from "../../ui/Link.tsx";

const commands = `gatehouse plugin verify acme-hello
mv acme-hello plugins/
docker compose restart gatehouse`;

/** The way from nothing to the first record. */
export function NoPlugins() {
  return (
    <Empty
      title="No plugins yet"
      command={commands}
      commandLabel="With a bundle in the directory acme-hello: check it, place it whole, restart the server"
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
