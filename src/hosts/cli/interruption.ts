/**
 * Ctrl-C: it abandons the verb, but not while another program has the terminal.
 *
 * A terminal sends it to every program in the foreground, and editors have a use of their own for it. Once it has
 * abandoned the verb, another one ends the process without waiting for an orderly close.
 */
interface Signals {
  on(signal: "SIGINT", listener: () => void): unknown;
  off(signal: "SIGINT", listener: () => void): unknown;
}

export interface Interruption {
  readonly interrupted: Promise<null>;
  /** Runs work during which Ctrl-C is not ours. */
  ignoredDuring<T>(work: () => Promise<T>): Promise<T>;
}

export function interruption(signals: Signals): Interruption {
  let isIgnored = false;
  const interrupted = new Promise<null>((resolve) => {
    function onInterrupt(): void {
      if (isIgnored) return;
      signals.off("SIGINT", onInterrupt);
      resolve(null);
    }
    signals.on("SIGINT", onInterrupt);
  });
  return {
    interrupted,
    async ignoredDuring(work) {
      isIgnored = true;
      try {
        return await work();
      } finally {
        isIgnored = false;
      }
    },
  };
}
