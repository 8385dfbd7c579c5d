import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runOpenLoop } from '../../bench/open-loop.ts';

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const ask = () => ({ method: 'GET', path: '/' }) as const;
const loop = { warmUpSeconds: 0, seconds: 0.2 };

describe('a load at a steady rate', () => {
  it('counts a request from the moment it was due, however long a server keeps it', async () => {
    // Nobody is answered before a hundred have asked, the last of whom is due 99 ms after the first.
    const waiting: (() => void)[] = [];
    let asked = 0;
    let all = () => {};
    const answered = new Promise<void>((resolve) => {
      all = resolve;
    });
    const port = await listen((_, response) => {
      waiting.push(() => response.end('ok'));
      if (++asked < 100) return;
      for (const answer of waiting.splice(0)) answer();
      all();
    });

    const { reads } = await runOpenLoop({
      port,
      ...loop,
      beside: () => answered,
      paced: [{ name: 'reads', rate: 1000, ask }],
    });

    expect(reads!.length).toBeGreaterThanOrEqual(100);
    expect(Math.max(...reads!)).toBeGreaterThan(98);
  });

  it('fails at an answer that is no 200', async () => {
    const port = await listen((_, response) => response.writeHead(503).end('not now'));

    await expect(runOpenLoop({ port, ...loop, paced: [{ name: 'reads', rate: 100, ask }] })).rejects.toThrow(
      '503 not now',
    );
  });

  it('fails at an answer that is not right', async () => {
    const port = await listen((_, response) => response.end('{"accepted":0}'));
    const isRight = (body: string) => body.includes('"accepted":1');

    const running = runOpenLoop({ port, ...loop, paced: [{ name: 'ticks', rate: 100, ask, isRight }] });

    await expect(running).rejects.toThrow('"accepted":0');
  });
});
