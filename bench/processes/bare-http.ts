import { createServer } from 'node:http';
import { listenSomewhere, serveParent } from '../child-side.ts';

/** The floor: `node:http` alone, which sends bytes that lie ready. A path without bytes of its own gets the first. */
serveParent<{ readonly bodies: Readonly<Record<string, Uint8Array>> }>(async ({ bodies }) => {
  const ready = new Map(Object.entries(bodies).map(([path, body]) => [path, Buffer.from(body)]));
  const [first] = ready.values();
  const server = createServer((request, response) => {
    const bytes = ready.get(request.url!) ?? first!;
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length });
    response.end(bytes);
  });
  return { port: await listenSomewhere(server) };
});
