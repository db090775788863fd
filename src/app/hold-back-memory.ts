/** Keeps the young heap from growing while a server loads: an idle server would hold that memory for good. */
export async function holdBackMemory(): Promise<void> {
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
}
