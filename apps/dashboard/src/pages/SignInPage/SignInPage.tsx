import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef } from "react";
import { isApiError } from "../../api/api-error.ts";
import { signIn } from "../../api/auth.ts";
import { Brand } from "../../widgets/Brand/Brand.tsx";
import { usePageTitle } from "../../widgets/PageTitle/page-title.ts";

export function SignInPage() {
  usePageTitle("Sign in");
  const { to = "/" } = useSearch({ from: "/login" });
  const navigate = useNavigate();
  const alert = useRef<HTMLParagraphElement>(null);
  const attempt = useMutation({
    mutationFn: ({ username, password }: { username: string; password: string }) => signIn(username, password),
    onSuccess: () => navigate({ href: to, replace: true }),
  });
  useEffect(() => {
    if (attempt.isError) alert.current?.focus();
  }, [attempt.isError]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    attempt.mutate({ username: String(fields.get("username")), password: String(fields.get("password")) });
  };
  return (
    <main>
      <Brand />
      <form onSubmit={submit}>
        <h1>Sign in</h1>
        <p>to {location.host}</p>
        <label>
          Name <input name="username" autoComplete="username" autoCapitalize="none" required />
        </label>
        <label>
          Password <input name="password" type="password" autoComplete="current-password" required />
        </label>
        {isApiError(attempt.error) && (
          <p ref={alert} tabIndex={-1} role="alert">
            {attempt.error.detail}
          </p>
        )}
        <button type="submit" disabled={attempt.isPending}>
          Sign in
        </button>
      </form>
    </main>
  );
}
