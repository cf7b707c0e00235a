import { type Api, openApi, userPassword } from "./api.ts";
import type { World } from "./world.ts";

export interface StartedPlan {
  /** Of the API. */
  readonly path: string;
  readonly digest: string;
  /** The server's word that hosts take it under. */
  readonly approval: string;
}

/** A plan for hosts that trust the server: made, approved by somebody else, who is called after the word, and started. */
export async function startPlan(
  world: World,
  api: Api,
  { word, wanted }: { readonly word: string; readonly wanted: object },
): Promise<StartedPlan> {
  const made = await api.call("POST", "/api/plans", wanted);
  if (made.status !== 201) throw new Error(`the plan was answered ${made.status} ${JSON.stringify(made.body)}`);
  const path = `/api/plans/${String(made.body["id"])}`;
  const approver = `ruth-${word}`;
  await api.newUser(approver, "approver");
  const other = await openApi(world, { username: approver, password: userPassword });
  const ifMatch = async () => ({ "If-Match": (await api.call("GET", path)).etag });
  const approved = await other.call("POST", `${path}/approvals`, { server: true }, await ifMatch());
  const [given] = (approved.body["approvals"] ?? []) as { readonly id: string }[];
  const started = await api.call("POST", `${path}/apply`, undefined, await ifMatch());
  if (started.status !== 200) throw new Error(`apply was answered ${started.status} ${JSON.stringify(started.body)}`);
  return { path, digest: String(made.body["digest"]), approval: given?.id ?? "" };
}
