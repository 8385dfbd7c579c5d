// A process that plays a role for the tests of the front and of the supervisor: it says who it is.
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';

const { ROLES, PORT, TOY_DIES } = process.env;
if (TOY_DIES === ROLES) process.exit(3);

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://toy');
  if (pathname === '/healthz' || pathname === '/readyz') return void response.end('{"status":"ok"}');
  response.setHeader('X-Toy', process.pid);
  if (pathname.endsWith('/env')) return void response.end(JSON.stringify(process.env));
  if (pathname.endsWith('/silent')) return;
  if (pathname.endsWith('/dies')) process.kill(process.pid, 'SIGKILL');
  if (pathname.endsWith('/broken')) {
    response.write('the first half');
    await setTimeout(50);
    process.kill(process.pid, 'SIGKILL');
  }
  if (pathname.endsWith('/stream')) {
    response.setHeader('Content-Type', 'text/event-stream');
    response.write(`data: ${process.pid}\n\n`);
    process.once('SIGTERM', () => response.end('data: bye\n\n'));
    return;
  }
  const body = [];
  for await (const bytes of request) body.push(bytes);
  response.setHeader('Set-Cookie', ['a=1', 'b=2']);
  response.setHeader('Connection', 'close');
  response.end(
    JSON.stringify({
      role: ROLES,
      pid: process.pid,
      body: Buffer.concat(body).toString(),
      headers: request.rawHeaders,
    }),
  );
});
server.listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => {
  server.close(() => process.exit(0));
  setInterval(() => server.closeIdleConnections(), 20);
});
