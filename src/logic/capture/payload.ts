/** What a host writes to a hook: an object of anything. Nothing about it is trusted. */
export type Payload = Readonly<Record<string, unknown>>;

export const isPayload = (value: unknown): value is Payload =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first of the fields that is a text with anything in it. */
export function textIn(payload: Payload, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return null;
}

export function payloadIn(payload: Payload, name: string): Payload {
  const value = payload[name];
  return isPayload(value) ? value : {};
}
