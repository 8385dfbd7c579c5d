import { createServer } from 'node:http';
import { listenSomewhere, serveParent } from '../child-side.ts';

/** Milliseconds from a message's `timestamp` to its arrival, since they were asked for last. */
let waits: number[] = [];
/** Answered; and asked for, in all and at most at once. */
let arrived = 0;
let begun = 0;
let most = 0;

interface Begin {
  /** Milliseconds that each answer takes. */
  readonly takes?: number;
}

/** Endpoints of webhooks: below `/hang` they take everything and answer nothing. */
serveParent<Begin>(
  async ({ takes = 0 }) => {
    const server = createServer((request, response) => {
      const hangs = request.url!.startsWith('/hang');
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (hangs) return;
        begun++;
        most = Math.max(most, begun - arrived);
        const { timestamp } = JSON.parse(String(Buffer.concat(chunks))) as { timestamp: string };
        waits.push(Date.now() - Date.parse(timestamp));
        const answer = () => {
          arrived++;
          response.writeHead(204).end();
        };
        if (takes > 0) setTimeout(answer, takes);
        else answer();
      });
    });
    server.keepAliveTimeout = 60_000;
    return { port: await listenSomewhere(server) };
  },
  {
    arrived: () => arrived,
    begun: () => begun,
    most: () => most,
    waits() {
      const told = waits;
      waits = [];
      return told;
    },
  },
);
