import { createServer } from 'node:http';
import { listenBelow32768 } from '../../api/http/listening.ts';

/** Takes what comes to each path. */
export interface Receiver {
  readonly url: string;
  /** By path and webhook id: what came first. */
  readonly bodies: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Ids that came with two contents. */
  readonly contradictions: readonly string[];
  /** As if nothing had come to this path. */
  forget(path: string): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const bodies = new Map<string, Map<string, string>>();
  const contradictions: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const id = String(request.headers['webhook-id']);
      const path = request.url!;
      const own = bodies.get(path) ?? new Map<string, string>();
      bodies.set(path, own);
      if ((own.get(id) ?? body) !== body) contradictions.push(`${path} ${id}`);
      own.set(id, body);
      response.writeHead(204).end();
    });
  });
  const port = await listenBelow32768(server);
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    contradictions,
    forget: (path) => void bodies.delete(path),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
