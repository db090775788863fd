/** Resolves when somebody asks this process to end. A second signal of the same kind ends it at once, as usual. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of STOP_SIGNALS) process.once(signal, () => resolve());
  return promise;
}
