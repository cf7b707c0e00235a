import { CopyButton } from "../../ui/CopyButton.tsx";
import { Empty } from "../../ui/Empty.tsx";
import styles from "./ArtifactsPage.module.css";

const commands = `gatehouse artifact sign tool \\
  --version 1.2.3 --architecture x64 \\
  --publisher acme --key acme.key
gatehouse login --server ${window.location.origin}
gatehouse artifact add tool`;

/** The way from nothing to the first artifact. */
export function NoArtifacts() {
  return (
    <Empty
      title="No artifacts yet"
      command={commands}
      commandLabel="On the command line: sign where the key is, then bring it to this server"
    >
      <p>
        An artifact is a program, or a release of the agent, that plans put on hosts. Its publisher signs what it is;
        hosts check that signature themselves, because this server has no key to do so.
      </p>
      <p>
        <NoUpload />
      </p>
    </Empty>
  );
}

/** The same way, for whoever has some already. */
export function BringAnother() {
  return (
    <details className={styles.bring}>
      <summary>How another one comes here</summary>
      <p>
        <NoUpload />
      </p>
      <div className={styles.commands}>
        <pre>{commands}</pre>
        <CopyButton text={commands} label="commands" />
      </div>
    </details>
  );
}

function NoUpload() {
  return (
    <>
      Nothing is uploaded in the browser: an artifact is signed where its key is, which is neither here nor on this
      server. <code>docs/operate/artifacts.md</code> says more. Bringing one needs the scope plan:create.
    </>
  );
}
