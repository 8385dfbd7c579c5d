import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenBelow32768 } from '../../api/http/listening.ts';

/** What came to one endpoint. */
export interface Arrived {
  readonly id: string;
  readonly body: string;
}

export interface WebhookReceiver {
  readonly url: string;
  /** In the order in which they came, repetitions too. */
  readonly arrived: readonly Arrived[];
}

/** Takes whatever comes. Closed after the test. */
export async function receiveWebhooks(): Promise<WebhookReceiver> {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      arrived.push({ id: String(request.headers['webhook-id']), body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${await listenBelow32768(server)}/`, arrived };
}

/** Those that came first under each id. */
export function firstArrivals(arrived: readonly Arrived[]): readonly Arrived[] {
  const seen = new Set<string>();
  return arrived.filter(({ id }) => !seen.has(id) && seen.add(id));
}
