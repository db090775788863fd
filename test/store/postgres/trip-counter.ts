/**
 * Counts round trips to a server: a relay between a client and it.
 *
 * Whatever a client sends before it is answered is one trip, however many statements it holds. The relay costs time itself,
 * so nothing is timed through it.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

export interface TripCounter {
  /** The server's address, through the relay. */
  url: string;
  /** The trips so far, of all connections. */
  count(): number;
  close(): Promise<void>;
}

export async function tripCounter(serverUrl: string): Promise<TripCounter> {
  const target = new URL(serverUrl);
  let trips = 0;
  const relay = createServer((client) => {
    const server = connect(Number(target.port || 5432), target.hostname);
    let isAsking = false;
    client.on("data", (bytes) => {
      if (!isAsking) trips += 1;
      isAsking = true;
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      isAsking = false;
      client.write(bytes);
    });
    for (const [one, other] of [[client, server] as const, [server, client] as const]) {
      one.on("close", () => other.destroy());
      one.on("error", () => other.destroy());
    }
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const url = new URL(serverUrl);
  [url.hostname, url.port] = ["127.0.0.1", String((relay.address() as AddressInfo).port)];
  return {
    url: url.href,
    count: () => trips,
    async close() {
      relay.close();
      await once(relay, "close");
    },
  };
}
