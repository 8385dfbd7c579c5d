import { PassThrough } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { readProxyAddress } from '../../../src/api/mcp-proxy/proxy-address.ts';
import { runStdioProxy } from '../../../src/api/mcp-proxy/run-stdio-proxy.ts';

interface Proxied {
  readonly url: string;
  readonly key?: string | undefined;
  readonly tools?: string;
}

export const notification = (method: string, params: object = {}) => ({ jsonrpc: '2.0', method, params });
export const cancelling = (requestId: unknown) => notification('notifications/cancelled', { requestId });

/** A client that starts the proxy and talks to it by lines. Every line that comes back must be a message. */
export function proxied({ url, key, tools }: Proxied) {
  const input = new PassThrough();
  const output = new PassThrough();
  const heard: any[] = [];
  let rest = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines) heard.push(JSON.parse(line));
  });
  const address = readProxyAddress({ url, key, tools });
  const ended = runStdioProxy({ ...address, version: '0.0.0', input, output });
  onTestFinished(async () => {
    input.end();
    await ended;
  });
  const send = (message: unknown) => {
    input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  };
  const answered = async (id: unknown) => {
    await expect.poll(() => heard.some((one) => one.id === id), { interval: 5 }).toBe(true);
    for (const message of heard) expect(message.jsonrpc).toBe('2.0');
    return heard.find((one) => one.id === id);
  };
  return {
    input,
    output,
    /** Everything that has come, in order. */
    heard,
    ended,
    send,
    /** Resolves with the answer to the request with this id. */
    answered,
    ask(message: { readonly id?: unknown }) {
      send(message);
      return answered(message.id);
    },
    /** Resolves with the first notification of this method, once there are this many. */
    async notified(method: string, count = 1) {
      const found = () => heard.filter((one) => one.method === method);
      await expect.poll(() => found().length, { interval: 5 }).toBeGreaterThanOrEqual(count);
      return found()[count - 1];
    },
  };
}
