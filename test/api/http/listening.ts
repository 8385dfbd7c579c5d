import type { Server } from 'node:http';

const FIRST = 20_000;
const COUNT = 12_700;
// Never the same port twice: clients keep connections to a server that is gone. The count is the process's own, so that
// it goes on where modules are loaded anew.
const counting = process as typeof process & { nextPort?: number };

/** Lets a server listen on a free port of this machine. The system's own choice may lie above the ports allowed here. */
export async function listenBelow32768(server: Server): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    const next = counting.nextPort ?? (process.pid * 31) % COUNT;
    counting.nextPort = (next + 1) % COUNT;
    const port = FIRST + next;
    if (await tryPort(server, port)) return port;
  }
  throw new Error('no free port');
}

function tryPort(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error));
    server.once('error', onError);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', onError);
      resolve(true);
    });
  });
}
