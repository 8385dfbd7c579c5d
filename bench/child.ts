import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { HEAP_FLAG } from '../src/server/bin/server-flags.mjs';
import { type Measurable, START_FLAGS } from './server.ts';

/** All flags of a server that `npm start` starts: a floor gets the same, those included that the launcher sets. */
const FLAGS = [...START_FLAGS, HEAP_FLAG];

/** A process of its own beside the benchmark's: a floor, or clients. The server itself is started by `startServer`. */
export interface Child extends Measurable {
  /** What it told when it was ready, its port included. */
  readonly told: Readonly<Record<string, unknown>>;
  /** What the process gives for a question that it knows. One question at a time. */
  ask(question: string): Promise<any>;
}

/** What the two sides say to each other. */
export type ToChild = { readonly begin: unknown } | { readonly ask: string };
export type FromChild = { readonly ready: { readonly port: number } } | { readonly answer: unknown };

/**
 * Starts `bench/processes/NAME.ts`.
 * @param begin what it is given; JSON, except that it may hold typed arrays
 * @throws Error when it ends before it is ready
 */
export async function startChild(name: string, begin: unknown, env: NodeJS.ProcessEnv = {}): Promise<Child> {
  const file = fileURLToPath(new URL(`./bench-${name}.js`, import.meta.url));
  const child = fork(file, {
    serialization: 'advanced',
    env: { ...process.env, NODE_ENV: 'production', ...env },
    // As the server is started; and such as --cpu-prof.
    execArgv: [...FLAGS, ...(process.env['BENCH_CHILD_ARGS']?.split(' ') ?? [])],
  });
  const ready = await tell(child, { begin }, name);
  if (!('ready' in ready)) throw new Error(`${name}: not ready`);
  const ask = async (question: string) => {
    const said = await tell(child, { ask: question }, name);
    return 'answer' in said ? said.answer : undefined;
  };
  return {
    pid: child.pid!,
    port: ready.ready.port,
    told: ready.ready,
    cpu: async () => Number(await ask('cpu')),
    memory: async () => Number(await ask('memory')),
    ask,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

function tell(child: ChildProcess, said: ToChild, name: string): Promise<FromChild> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`${name} ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (answer) => {
      child.off('exit', onExit);
      resolve(answer as FromChild);
    });
    child.send(said as never);
  });
}
