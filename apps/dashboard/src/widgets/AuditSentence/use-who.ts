import type { AuditEntryView } from "@gatehouse/contract/routes";
import { useWhoAmI } from "../../api/auth.ts";
import { useActorNames } from "../AuditActor/use-actor-names.ts";

const said: Readonly<Record<string, string>> = {
  system: "The server",
  cli: "The command line",
  anonymous: "Somebody not signed in",
};

/** Names for a sentence: whoever reads it is "You". */
export function useWho(entries: readonly AuditEntryView[]): (actor: string) => string {
  const { user } = useWhoAmI();
  const names = useActorNames(entries);
  return (actor) => {
    if (actor === user.id) return "You";
    return names.get(actor) ?? said[actor] ?? actor.replace(/^(token|node|plugin):/, "$1 ");
  };
}
