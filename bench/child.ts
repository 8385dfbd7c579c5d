import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A server under measurement, in a process of its own. */
export interface Child {
  readonly port: number;
  /** What it told when it was ready, its port included. */
  readonly told: Readonly<Record<string, unknown>>;
  /** Microseconds of processor time that it has used so far. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

/** What the two sides say to each other. */
export type ToChild = { readonly begin: unknown } | { readonly ask: 'cpu' };
export type FromChild = { readonly ready: { readonly port: number } } | { readonly cpu: number };

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
    execArgv: process.env['BENCH_CHILD_ARGS']?.split(' ') ?? [],
  });
  const ready = await ask(child, { begin }, name);
  if (!('ready' in ready)) throw new Error(`${name}: not ready`);
  return {
    port: ready.ready.port,
    told: ready.ready,
    async cpu() {
      const answer = await ask(child, { ask: 'cpu' }, name);
      return 'cpu' in answer ? answer.cpu : Number.NaN;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

function ask(child: ChildProcess, question: ToChild, name: string): Promise<FromChild> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`${name} ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (answer) => {
      child.off('exit', onExit);
      resolve(answer as FromChild);
    });
    child.send(question as never);
  });
}
