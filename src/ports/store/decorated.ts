/**
 * A store with some methods replaced.
 *
 * The parts of a joined store are decorated as well, because a rollback writes to them directly. Whatever is not replaced
 * is looked up when it is needed: a store may become read-only, and one on a server knows its methods only then.
 */
import type { Store } from "./store.ts";

export function decorated(store: Store, replace: (store: Store) => Partial<Store>): Store {
  const parts = store.parts?.map((part) => decorated(part, replace));
  const replaced: Partial<Store> = { ...replace(store), ...(parts && { parts }) };
  return new Proxy(store, { get: (target, name) => Reflect.get(name in replaced ? replaced : target, name) });
}
