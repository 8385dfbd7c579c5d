import { openLoad } from './http-load.ts';

export interface PacedLoad {
  readonly port: number;
  readonly body: Buffer;
  readonly request: (n: number, connection: number) => string;
  readonly connections: number;
  /** Requests a second, whether the server keeps up or not. */
  readonly rate: number;
  readonly seconds: number;
}

const WARM_UP_SECONDS = 0.5;

/**
 * Sends requests at a steady rate, and takes each one's time from the moment at which it was due: one that waits for a
 * free connection has begun to wait for its answer.
 * @returns milliseconds of each, without those of the first half second
 */
export async function measureAtRate(load: PacedLoad): Promise<number[]> {
  const { rate, seconds, request, connections } = load;
  const clients = await Promise.all(Array.from({ length: connections }, () => openLoad({ ...load, connections: 1 })));
  const begun = performance.now();
  const total = Math.floor(rate * (seconds + WARM_UP_SECONDS));
  const dueAt = (n: number): number => begun + (n * 1000) / rate;
  const latencies: number[] = [];
  const free = clients.map((client, index) => ({ client, index }));
  let next = 0;
  let answered = 0;
  await new Promise<void>((resolve, reject) => {
    function send(): void {
      const now = performance.now();
      while (next < total && free.length > 0 && dueAt(next) <= now) {
        const n = next++;
        const one = free.pop()!;
        one.client
          .run(1, () => request(n, one.index))
          .then(() => {
            if (n >= rate * WARM_UP_SECONDS) latencies.push(performance.now() - dueAt(n));
            free.push(one);
            answered++;
            if (answered === total) resolve();
          }, reject);
      }
      // Not without a pause: the clients must leave the server a core of its own.
      if (next < total) setTimeout(send, 1);
    }
    send();
  });
  for (const client of clients) client.close();
  return latencies;
}
