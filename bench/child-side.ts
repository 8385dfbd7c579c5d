import type { Server } from 'node:http';
import type { FromChild, ToChild } from './child.ts';

/**
 * The child's side of `startChild`: begins when it is told to, tells what `begin` gives, and ends with its parent.
 * @param answers to the questions that it knows beside `cpu` and `memory`
 */
export function serveParent<Begin>(
  begin: (given: Begin) => Promise<{ readonly port: number }>,
  answers: Readonly<Record<string, () => unknown>> = {},
): void {
  const tell = (answer: FromChild) => void process.send!(answer as never);
  process.on('message', async (said: ToChild) => {
    if ('begin' in said) return tell({ ready: await begin(said.begin as Begin) });
    tell({ answer: await { cpu, memory, ...answers }[said.ask]!() });
  });
  process.on('disconnect', () => process.exit(0));
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Bytes that the process has of its own. */
const memory = (): number => process.memoryUsage.rss();

const FIRST = 20_000;
const COUNT = 12_000;

/** A free port of this machine, well below those that the system gives to clients. */
export async function listenSomewhere(server: Server): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    const port = FIRST + ((process.pid * 31 + tries) % COUNT);
    const isOurs = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (isOurs) return port;
  }
  throw new Error('no free port');
}
