import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isApiError } from "../../api/api-error.ts";
import { type Artifact, artifactsQuery, removeArtifact } from "../../api/artifacts.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Link } from "../../ui/Link.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import styles from "./ArtifactsPage.module.css";

/** Says what becomes of it, and which plans keep it when the server refuses. */
export function RemoveArtifactDialog({
  artifact,
  onClose,
}: {
  readonly artifact: Artifact;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const called = `${artifact.name} ${artifact.version}`;
  const attempt = useMutation({
    mutationFn: () => removeArtifact(artifact.id),
    onSuccess: () => {
      toast(`${called} is removed`);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: artifactsQuery.queryKey }),
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => attempt.mutate()}
      title={`Remove ${called}`}
      sentence={
        <>
          The bytes of <b>{called}</b> for {artifact.architecture} go from this server, and no new plan can name them.
          Hosts that have them keep them. A plan that has not ended keeps them here: then nothing is removed.
        </>
      }
      confirm={`Remove ${called}`}
      look="danger"
      busy={attempt.isPending}
      error={attempt.isError && <NotRemoved error={attempt.error} />}
    />
  );
}

function NotRemoved({ error }: { readonly error: Error }) {
  const named = isApiError(error, "artifact.in_use") ? error.fields["plans"] : undefined;
  const plans = Array.isArray(named) ? named.filter((id) => typeof id === "string") : [];
  return (
    <>
      <ApiErrorView error={error} title="It was not removed" size="inline" />
      {plans.length > 0 && (
        <ul className={styles.plans} aria-label="Plans that name it">
          {plans.map((id) => (
            <li key={id}>
              <Link href={`/plans/${encodeURIComponent(id)}`}>
                <code>{id}</code>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
