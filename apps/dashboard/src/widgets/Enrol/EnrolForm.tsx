import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import { createEnrolments, type NewEnrolment } from "../../api/enrolments.ts";
import { Field } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import { parseTagText } from "../Fleet/tag-text.ts";
import { useRequestKey } from "../use-request-key.ts";
import styles from "./Enrol.module.css";

const lifetimes = [
  { value: "900", label: "15 minutes" },
  { value: "3600", label: "1 hour" },
  { value: "14400", label: "4 hours" },
  { value: "86400", label: "1 day" },
];
const mostCodes = 100;

export interface EnrolFormProps {
  readonly id: string;
  readonly onMade: (made: readonly NewEnrolment[]) => void;
  readonly onBusy: (isBusy: boolean) => void;
}

/** How many hosts, what they are called, and how long the codes last. */
export function EnrolForm({ id, onMade, onBusy }: EnrolFormProps) {
  const [count, setCount] = useState("1");
  const [name, setName] = useState("");
  const [tagText, setTagText] = useState("");
  const [lifetime, setLifetime] = useState("900");
  const [isTried, setTried] = useState(false);
  const countInput = useRef<HTMLInputElement>(null);
  const tagInput = useRef<HTMLInputElement>(null);

  const hosts = /^\d{1,3}$/.test(count.trim()) ? Number(count) : 0;
  const badCount = hosts < 1 || hosts > mostCodes ? `Between 1 and ${mostCodes}.` : undefined;
  const parsed = parseTagText(tagText);
  const badTags = "wrong" in parsed ? parsed.wrong : undefined;
  const requestKey = useRequestKey();
  const attempt = useMutation({
    mutationFn: () => {
      const wish = {
        count: hosts,
        ...(hosts === 1 && name.trim() !== "" && { name: name.trim() }),
        ...("tags" in parsed && { tags: parsed.tags }),
        expiresInSeconds: Number(lifetime),
      };
      return createEnrolments(wish, requestKey.of(wish));
    },
    onMutate: () => onBusy(true),
    onSuccess: ({ items }) => onMade(items),
    onError: (error) => {
      if (isApiError(error) && error.status > 0) requestKey.forget();
    },
    onSettled: () => onBusy(false),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (badCount !== undefined) countInput.current?.focus();
    else if (badTags !== undefined) tagInput.current?.focus();
    else if (!attempt.isPending) attempt.mutate();
  };
  return (
    <form id={id} className={styles.form} onSubmit={submit} noValidate>
      <p>
        Makes a one-time code for each host and shows the line to run there. A new host starts as <b>monitor</b>:
        nothing can be changed on it until its own root says so.
      </p>
      <div className={styles.pair}>
        <Field label="Hosts" hint="A code is for one host." error={isTried && badCount}>
          <TextInput
            ref={countInput}
            value={count}
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
            onChange={(event) => setCount(event.target.value)}
          />
        </Field>
        <Field label="The code lasts" hint="Only as long as you need to get there.">
          <Select value={lifetime} options={lifetimes} onChange={(event) => setLifetime(event.target.value)} />
        </Field>
      </div>
      {hosts === 1 && (
        <Field label="Name" optional hint="Without one it is called as the host calls itself.">
          <TextInput value={name} maxLength={64} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </Field>
      )}
      <Field label="Tags" optional hint="Between commas: edge, public" error={isTried && badTags}>
        <TextInput
          ref={tagInput}
          value={tagText}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setTagText(event.target.value)}
        />
      </Field>
      {attempt.isError && <ApiErrorView error={attempt.error} title="No code was made" size="inline" />}
    </form>
  );
}
