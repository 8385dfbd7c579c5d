import { createServer, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { freePort } from '../../server/cli/launching.ts';
import type { S3Server } from './s3-server.ts';

/** What stands between a server and its bucket. */
export type Trouble = 'none' | 'busy' | 'silent' | 'cut' | 'slow' | 'full' | 'forbidden';

const REFUSALS: Partial<Record<Trouble, readonly [number, string]>> = {
  busy: [503, 'SlowDown'],
  full: [507, 'XMinioStorageFull'],
  forbidden: [403, 'AccessDenied'],
};

/** A way to the server that has troubles. */
export async function startTroubledWay(server: S3Server) {
  const way = { trouble: 'none' as Trouble, refused: 0 };
  const { port: to } = new URL(server.endpoint);
  const double = createServer(async (request, response) => {
    const { trouble } = way;
    const refusal = REFUSALS[trouble];
    if (trouble !== 'none') way.refused++;
    if (refusal) return void request.resume().on('end', () => response.writeHead(refusal[0]).end(bodyOf(refusal[1])));
    if (trouble === 'cut') return void request.socket.destroy();
    if (trouble === 'silent') return void request.resume();
    if (trouble === 'slow') await sleep(700);
    const { method, url: path, headers } = request;
    const passed = httpRequest({ host: '127.0.0.1', port: to, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => void double.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    double.closeAllConnections();
    double.close();
  });
  return { way, endpoint: `http://127.0.0.1:${port}` };
}

const bodyOf = (code: string): string => `<Error><Code>${code}</Code><Message>of the-secret</Message></Error>`;
