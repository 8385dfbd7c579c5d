import { createServer } from 'node:http';
import { openSqliteDatabase } from '../../src/platform/sqlite/sqlite-database.ts';
import { listenSomewhere, serveParent } from '../child-side.ts';

/** The floor: a bare process that opens a database, and answers each request with its last row. */
serveParent<{ readonly file: string }>(async ({ file }) => {
  const database = openSqliteDatabase({ file, readonly: true });
  const last = database.prepare('SELECT position, type, data FROM records ORDER BY position DESC LIMIT 1').raw();
  const server = createServer((_request, response) => {
    const body = Buffer.from(JSON.stringify(last.get([])));
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
  });
  return { port: await listenSomewhere(server) };
});
