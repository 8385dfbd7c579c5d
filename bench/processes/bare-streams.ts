import { createServer, type ServerResponse } from 'node:http';
import { listenSomewhere, serveParent } from '../child-side.ts';

interface Begin {
  /** A message of a stream, without the number of the score. */
  readonly before: string;
  readonly after: string;
}

/** The floor: a bare Node server that has nothing to find out, and writes the same bytes to the same connections. */
serveParent<Begin>(async ({ before, after }) => {
  const streams = new Map<string, ServerResponse[]>();
  const messageOf = (score: string | number) => Buffer.from(`${before}${score}${after}`);
  const server = createServer((request, response) => {
    const eventId = /^\/v1\/events\/(\d+)\/stream/.exec(request.url!)?.[1];
    if (eventId !== undefined) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
      response.write(messageOf(0));
      streams.set(eventId, [...(streams.get(eventId) ?? []), response]);
      return;
    }
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      response.end('{"accepted":10}');
      for (const { ref, scores } of JSON.parse(body)) {
        const bytes = messageOf(scores[0].score);
        for (const stream of streams.get(ref) ?? []) stream.write(bytes);
      }
    });
  });
  return { port: await listenSomewhere(server) };
});
