import { createServer } from 'node:http';
import express from 'express';
import { listenSomewhere, serveParent } from '../child-side.ts';

/** The floor: Express with one route that sends bytes which lie ready. */
serveParent<{ readonly body: Uint8Array; readonly way: 'send' | 'end' }>(async ({ body, way }) => {
  const bytes = Buffer.from(body);
  const app = express();
  // One event, or a batch of them.
  app.all('/v1/events/:id', (_request, response) => {
    if (way === 'send') response.type('json').send(bytes);
    else response.type('json').end(bytes);
  });
  return { port: await listenSomewhere(createServer(app)) };
});
