import { Agent, get } from 'node:http';

export interface PacedReads {
  readonly port: number;
  readonly key: string;
  /** In turn. */
  readonly paths: readonly string[];
  /** Requests a second, whether the server keeps up or not. */
  readonly rate: number;
}

/** Reads in the background until it is stopped, which gives the milliseconds of each from the moment it was due. */
export function pacedReads({ port, key, paths, rate }: PacedReads): { stop(): Promise<number[]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const headers = { authorization: `Bearer ${key}` };
  const latencies: number[] = [];
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const began = performance.now();
  let sent = 0;

  const read = (path: string, dueAt: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const asking = get({ host: '127.0.0.1', port, path, agent, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`));
        answer.resume();
        answer.on('error', reject);
        answer.on('end', () => {
          latencies.push(performance.now() - dueAt);
          resolve();
        });
      });
      asking.on('error', reject);
    });

  const timer = setInterval(() => {
    const at = performance.now();
    for (let dueAt = began + (sent * 1000) / rate; dueAt <= at; dueAt = began + (sent * 1000) / rate) {
      const one = read(paths[sent++ % paths.length]!, dueAt)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underWay.delete(one));
      underWay.add(one);
    }
  }, 1);

  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      agent.destroy();
      if (failures.length > 0) throw failures[0];
      return latencies;
    },
  };
}
