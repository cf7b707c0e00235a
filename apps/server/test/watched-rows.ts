import type { Store } from "@gatehouse/store";
import type { IdentityDeps } from "../src/features/auth/index.ts";
import type { Route } from "../src/platform/route/index.ts";

/** Between two calls of one piece of work lies no turn of the event loop: where none is under way, none goes on. */
export function countCalls(store: Store): IdentityDeps["store"] & Pick<Store, "linkAt"> & { callsUnderWay(): number } {
  let calls = 0;
  const count = async <T>(call: Promise<T>) => {
    calls += 1;
    try {
      return await call;
    } finally {
      calls -= 1;
    }
  };
  return {
    get: (...call) => count(store.get(...call)),
    list: (...call) => count(store.list(...call)),
    commit: (...call) => count(store.commit(...call)),
    searchAudit: (...call) => count(store.searchAudit(...call)),
    head: () => count(store.head()),
    linkAt: (position) => count(store.linkAt(position)),
    follow: (listener) => store.follow(listener),
    callsUnderWay: () => calls,
  };
}

export function watchedRow(row: Route, onHandled: (requestId: string) => void): Route {
  const handle: Route["handle"] = (call) => {
    onHandled(call.request.requestId);
    return row.handle(call);
  };
  return { ...row, handle };
}

export function withoutRate(row: Route): Route {
  const { rate: _, ...spec } = row.spec;
  return { ...row, spec };
}
