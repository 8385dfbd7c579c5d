import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { sinkOf } from '../../../src/api/streams/open-responses.ts';
import { listenBelow32768 } from '../http/listening.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server whose every answer is handed to `onAnswer`, with its head written and nothing else. */
async function answering(onAnswer: (response: ServerResponse, path: string) => void): Promise<number> {
  const server = createServer((request, response) => {
    response.writeHead(200, ['Content-Type', 'text/event-stream']);
    onAnswer(response, request.url!);
  });
  const port = await listenBelow32768(server);
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return port;
}

/** Sends these bytes, and gives what has come once it holds `until`. */
function exchange(port: number, bytes: string, until: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.includes(until)) resolve(text);
    });
    socket.on('close', () => reject(new Error(`ended after ${text}`)));
    closing.push(async () => void socket.destroy());
  });
}

const bodiesOf = (text: string): string[] => text.split(/HTTP\/1\.1 200[\s\S]*?\r\n\r\n/).slice(1);
const request = (path: string, version = '1.1'): string => `GET ${path} HTTP/${version}\r\nHost: here\r\n\r\n`;

it('sends a client the bytes as they were written, and their end', async () => {
  const port = await answering((response) => {
    const sink = sinkOf(response);
    for (const text of ['one\n', 'žwei\n', 'x'.repeat(100_000)]) sink.write(Buffer.from(text));
    sink.end();
  });
  const text = await new Promise<string>((resolve) => {
    get({ host: '127.0.0.1', port, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(Buffer.concat(chunks).toString());
    });
  });
  expect(text).toBe(`one\nžwei\n${'x'.repeat(100_000)}`);
});

it('keeps the order when an earlier answer on the connection is not out yet', async () => {
  const answers = new Map<string, ServerResponse>();
  const port = await answering((response, path) => {
    answers.set(path, response);
    if (path !== '/stream') return;
    const sink = sinkOf(response);
    sink.write(Buffer.from('the stream'));
    answers.get('/first')!.end('the first');
    sink.write(Buffer.from(' goes on'));
    sink.end();
  });
  const text = await exchange(port, request('/first') + request('/stream') + request('/last'), 'goes on\r\n0\r\n\r\n');
  expect(bodiesOf(text)).toEqual(['9\r\nthe first\r\n0\r\n\r\n', 'a\r\nthe stream\r\n8\r\n goes on\r\n0\r\n\r\n']);
});

it('leaves the connection to the requests that follow', async () => {
  const port = await answering((response, path) => {
    const sink = sinkOf(response);
    sink.write(Buffer.from(path));
    sink.end();
  });
  const text = await exchange(port, request('/one') + request('/two'), '/two\r\n0\r\n\r\n');
  expect(bodiesOf(text)).toEqual(['4\r\n/one\r\n0\r\n\r\n', '4\r\n/two\r\n0\r\n\r\n']);
});

it('sends no chunks to a client of HTTP/1.0', async () => {
  const port = await answering((response) => void sinkOf(response).write(Buffer.from('as it is')));
  expect(await exchange(port, request('/', '1.0'), 'as it is')).toMatch(/\r\n\r\nas it is$/);
});

it('reports when a slow client has read what it was sent', async () => {
  const drained = new Promise<number>((resolve, reject) => {
    answering((response) => {
      const sink = sinkOf(response);
      const bytes = Buffer.alloc(1 << 20);
      let written = 1;
      while (sink.write(bytes)) written++;
      response.on('drain', () => resolve(written));
    }).then((port) => {
      get({ host: '127.0.0.1', port, agent: false }, (response) => response.resume()).on('error', () => {});
    }, reject);
  });
  expect(await drained).toBeGreaterThan(0);
});

it('writes nothing to a client that is gone', async () => {
  const gone = new Promise<boolean>((resolve, reject) => {
    answering((response) => {
      const sink = sinkOf(response);
      sink.write(Buffer.from('first'));
      response.on('close', () => resolve(sink.write(Buffer.from('more'))));
    }).then((port) => {
      const asking = get({ host: '127.0.0.1', port, agent: false }, () => asking.destroy());
      asking.on('error', () => {});
    }, reject);
  });
  expect(await gone).toBe(true);
});
