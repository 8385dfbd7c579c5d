import { createServer } from 'node:http';
import { listenSomewhere, serveParent } from '../child-side.ts';

/** Milliseconds from a message's `timestamp` to its arrival, since they were asked for last. */
let waits: number[] = [];
let arrived = 0;

/** Endpoints of webhooks: below `/hang` they take everything and answer nothing. */
serveParent(
  async () => {
    const server = createServer((request, response) => {
      const hangs = request.url!.startsWith('/hang');
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (hangs) return;
        const { timestamp } = JSON.parse(String(Buffer.concat(chunks))) as { timestamp: string };
        waits.push(Date.now() - Date.parse(timestamp));
        arrived++;
        response.writeHead(204).end();
      });
    });
    server.keepAliveTimeout = 60_000;
    return { port: await listenSomewhere(server) };
  },
  {
    arrived: () => arrived,
    waits() {
      const told = waits;
      waits = [];
      return told;
    },
  },
);
