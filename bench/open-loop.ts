import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly key?: string;
  readonly body?: string;
}

/** Requests of one kind, at a steady rate, whether the server keeps up or not. */
export interface Paced {
  readonly name: string;
  /** A second. */
  readonly rate: number;
  /** The request of a number, from 0. */
  ask(n: number): Ask;
  /** Whether an answer of 200 is right; all are, where it is absent. */
  isRight?(body: string): boolean;
}

export interface OpenLoop {
  readonly port: number;
  readonly paced: readonly Paced[];
  /** What is due before is not counted. */
  readonly warmUpSeconds: number;
  /** After the warm-up; until `beside` has ended, where that takes longer. */
  readonly seconds: number;
  /** What begins after the warm-up, when all connections are there: to open many at once takes its own time. */
  readonly beside?: () => Promise<unknown>;
}

/** How long answers are waited for after the last request. */
const PATIENCE_MS = 60_000;
const CONNECTIONS = 256;

/**
 * Sends requests when they are due, and takes each one's time from that moment: one that waits for a free connection
 * has begun to wait for its answer. One that was not answered at all counts with the time that it has waited.
 * @returns milliseconds of every request, by the name of its kind
 * @throws Error where an answer is wrong
 */
export async function runOpenLoop(loop: OpenLoop): Promise<Readonly<Record<string, number[]>>> {
  const { port, paced, warmUpSeconds, seconds, beside } = loop;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const begun = performance.now();
  const from = begun + warmUpSeconds * 1000;
  const waiting = new Set<{ readonly name: string; readonly due: number }>();
  const times: Record<string, number[]> = Object.fromEntries(paced.map(({ name }) => [name, []]));
  let wrong: Error | undefined;
  let isOver = false;

  function note(name: string, due: number): void {
    if (due >= from) times[name]!.push(performance.now() - due);
  }

  async function keepPace({ name, rate, ask, isRight }: Paced): Promise<void> {
    for (let n = 0; !isOver && !wrong; ) {
      for (let due = begun + (n * 1000) / rate; due <= performance.now(); due = begun + (n * 1000) / rate) {
        const one = { name, due };
        const asked = ask(n++);
        waiting.add(one);
        send(port, agent, asked)
          .then((body) => {
            note(name, due);
            if (isRight && !isRight(body)) wrong ??= new Error(`${asked.path}: ${body.slice(0, 500)}`);
          })
          .catch((error) => {
            wrong ??= error;
          })
          .finally(() => waiting.delete(one));
      }
      await delay(1);
    }
  }

  const pacing = paced.map(keepPace);
  const begin = async () => {
    await delay(warmUpSeconds * 1000);
    await Promise.all([delay(seconds * 1000), beside?.()]);
  };
  await begin().finally(() => {
    isOver = true;
  });
  await Promise.all(pacing);
  for (const end = performance.now() + PATIENCE_MS; waiting.size > 0 && performance.now() < end && !wrong; ) {
    await delay(10);
  }
  for (const { name, due } of waiting) note(name, due);
  agent.destroy();
  if (wrong) throw wrong;
  return times;
}

/** What was answered. @throws Error where it is no 200 */
function send(port: number, agent: Agent, { method, path, key, body }: Ask): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/x-ndjson', 'content-length': Buffer.byteLength(body) }),
    };
    const asking = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece) => {
        text += piece;
      });
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(text);
        else reject(new Error(`${path}: ${answer.statusCode} ${text.slice(0, 500)}`));
      });
    });
    asking.on('error', reject);
    asking.end(body);
  });
}
