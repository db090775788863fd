/** Prepares statements on first use: there are many for each shelf, and most stores use a few. */
export function onFirstUse<T extends object>(make: { readonly [Name in keyof T]: () => T[Name] }): T {
  const made = {} as T;
  for (const name of Object.keys(make) as (keyof T)[]) {
    Object.defineProperty(made, name, {
      configurable: true,
      get() {
        const value = make[name]();
        Object.defineProperty(made, name, { value });
        return value;
      },
    });
  }
  return made;
}
