/** The result of some work, or null if it takes too long. The work itself continues. */
export function inTime<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => resolve(null), limitMs);
    late.unref();
    // After a timeout a later failure is handled here too, and changes nothing.
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
