import type { Node } from "@gatehouse/contract/routes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import type { Answer } from "../../api/client.ts";
import { placesQuery } from "../../api/map.ts";
import { changeNode, nodeQuery, nodesQuery } from "../../api/nodes.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { parsePlaceText, type TypedPlace, writePlaceText } from "../../widgets/Fleet/place-text.ts";
import { parseTagText } from "../../widgets/Fleet/tag-text.ts";
import { PlaceFields } from "./PlaceFields.tsx";
import styles from "./NodePage.module.css";

export interface EditNodeDialogProps {
  readonly read: Answer<Node>;
  readonly onClose: () => void;
}

/** What people call a node. Nothing of it reaches the host. */
export function EditNodeDialog({ read: { data: node, etag }, onClose }: EditNodeDialogProps) {
  const form = useId();
  const client = useQueryClient();
  const [name, setName] = useState(node.name);
  const [tagText, setTagText] = useState(node.tags.join(", "));
  const [notes, setNotes] = useState(node.notes);
  const [place, setPlace] = useState<TypedPlace>(() => writePlaceText(node.place));
  const [isTried, setTried] = useState(false);
  const parsed = parseTagText(tagText);
  const parsedPlace = parsePlaceText(place);
  const badPlace = "wrong" in parsedPlace ? parsedPlace.wrong : undefined;
  const badName = name.trim() === "" ? "A node has a name." : undefined;
  const badTags = "wrong" in parsed ? parsed.wrong : undefined;
  const attempt = useMutation({
    mutationFn: () => {
      if (etag === undefined) throw new Error("the node was read without an ETag");
      return changeNode(node.id, etag, {
        name: name.trim(),
        notes,
        ...("tags" in parsed && { tags: parsed.tags }),
        ...("place" in parsedPlace && isOther(parsedPlace.place, node.place) && { place: parsedPlace.place }),
      });
    },
    onSuccess: (changed) => {
      toast(`${changed.name} is changed`);
      onClose();
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: nodeQuery(node.id).queryKey }),
        client.invalidateQueries({ queryKey: nodesQuery.queryKey }),
        client.invalidateQueries({ queryKey: placesQuery.queryKey }),
      ]),
  });
  const isStale = isApiError(attempt.error, "request.stale");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (badName === undefined && badTags === undefined && badPlace === undefined && !attempt.isPending)
      attempt.mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Edit ${node.name}`}
      dismissable={!attempt.isPending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} look="primary" busy={attempt.isPending} disabled={isStale}>
            Change {node.name}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit} noValidate>
        <Field label="Name" hint="Only for people; the host keeps its own." error={isTried && badName}>
          <TextInput value={name} maxLength={64} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label="Tags" optional hint="Between commas: edge, public" error={isTried && badTags}>
          <TextInput
            value={tagText}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => setTagText(event.target.value)}
          />
        </Field>
        <PlaceFields place={place} wrong={isTried ? badPlace : undefined} onPlace={setPlace} />
        <Field label="Notes" optional>
          <TextArea value={notes} maxLength={4_096} rows={5} onChange={(event) => setNotes(event.target.value)} />
        </Field>
        {isStale && (
          <Banner state="warn" live title="Nothing was changed: the node has changed meanwhile.">
            Somebody edited it, or the host told new facts. Close this, look, and edit it again.
          </Banner>
        )}
        {attempt.isError && !isStale && (
          <ApiErrorView error={attempt.error} title="The node was not changed" size="inline" />
        )}
      </form>
    </Dialog>
  );
}

/** Who changes a name alone has said nothing of the place. */
function isOther(place: Node["place"], before: Node["place"]): boolean {
  return (["latitude", "longitude", "label"] as const).some((part) => place?.[part] !== before?.[part]);
}
