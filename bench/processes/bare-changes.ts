import { createServer, type ServerResponse } from 'node:http';
import { listenSomewhere, serveParent } from '../child-side.ts';

interface Begin {
  /** A message of a stream, with `@EVENT@` and `@PRICE@` in the place of an event and of the price that it moved to. */
  readonly message: string;
}

/** The floor: a bare Node server that has nothing to find out, and writes the same bytes to the same connections. */
serveParent<Begin>(async ({ message }) => {
  const streams: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
      response.write('event: ready\ndata: {"id":"0"}\n\n');
      streams.push(response);
      return;
    }
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      response.end('{"accepted":10}');
      const messages = JSON.parse(body).map(({ ref, markets }: any) =>
        message.replaceAll('@EVENT@', ref).replace('@PRICE@', markets[0].outcomes[0].price),
      );
      const bytes = Buffer.from(messages.join(''));
      for (const stream of streams) stream.write(bytes);
    });
  });
  return { port: await listenSomewhere(server) };
});
