/** A record whose values are computed when they are first read. */
export function lazyRecord<T extends object>(makers: { [Key in keyof T]: () => T[Key] }): T {
  const record = {} as T;
  for (const key of Object.keys(makers) as (keyof T)[]) {
    Object.defineProperty(record, key, {
      ...{ configurable: true, enumerable: true },
      get: () => {
        const value = makers[key]();
        Object.defineProperty(record, key, { value });
        return value;
      },
    });
  }
  return record;
}
