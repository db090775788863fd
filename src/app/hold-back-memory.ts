/** Keeps the young heap from growing while a server is loaded: it would keep that room for all its idle life. */
export async function holdBackMemory(): Promise<void> {
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
}
