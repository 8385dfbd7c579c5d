import { closeSync, fdatasync, openSync, write } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listenSomewhere, serveParent } from '../child-side.ts';

const writing = promisify(write);
const flushing = promisify(fdatasync);

interface Begin {
  readonly folder: string;
  /** What every read gets. */
  readonly body: Uint8Array;
}

/**
 * The floor: `node:http` alone, which parses what is posted, writes it to the end of a file, answers when it is flushed
 * (what came meanwhile shares the next flush), and sends bytes that lie ready for every read.
 */
serveParent<Begin>(async ({ folder, body }) => {
  const file = openSync(join(folder, 'bare-live.log'), 'a');
  process.once('exit', () => closeSync(file));
  const ready = Buffer.from(body);
  let lines: string[] = [];
  let waiting: (() => void)[] = [];
  let isFlushing = false;

  async function flush(): Promise<void> {
    isFlushing = true;
    while (waiting.length > 0) {
      const [told, text] = [waiting, lines.join('')];
      [waiting, lines] = [[], []];
      await writing(file, text);
      await flushing(file);
      for (const answer of told) answer();
    }
    isFlushing = false;
  }

  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': ready.length });
      response.end(ready);
      return;
    }
    let text = '';
    request.on('data', (piece) => {
      text += piece;
    });
    request.on('end', () => {
      lines.push(`${JSON.stringify(JSON.parse(text))}\n`);
      waiting.push(() => response.end('{"received":1,"accepted":1,"errors":[]}'));
      if (!isFlushing) void flush();
    });
  });
  return { port: await listenSomewhere(server) };
});
