import type { Readable, Writable } from 'node:stream';
import { createLineReader } from './message-lines.ts';
import type { ProxyAddress } from './proxy-address.ts';
import { createStdioProxy, MAX_LINE_BYTES } from './stdio-proxy.ts';

interface StdioParts extends ProxyAddress {
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
}

/** How long requests under way may take once the client has closed its end. A client waits two seconds, and then kills. */
const LAST_ANSWERS_MS = 1000;

/** Passes messages on until the input ends. */
export async function runStdioProxy({ input, output, ...parts }: StdioParts): Promise<void> {
  const proxy = createStdioProxy({ ...parts, fetch: globalThis.fetch, write: createWriter(output) });
  const lines = createLineReader(MAX_LINE_BYTES);
  for await (const chunk of input) for (const line of lines.push(chunk)) await proxy.take(line);
  await proxy.take(lines.end());
  const late = setTimeout(proxy.abort, LAST_ANSWERS_MS);
  await proxy.finish();
  clearTimeout(late);
}

/** One listener for all that wait: there may be many. */
function createWriter(output: Writable): (line: string) => Promise<void> {
  let room: Promise<void> | undefined;
  return async (line) => {
    while (room) await room;
    if (output.write(`${line}\n`)) return;
    room = new Promise<void>((resolve) => output.once('drain', resolve)).finally(() => {
      room = undefined;
    });
    await room;
  };
}
