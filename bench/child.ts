import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { HEAP_FLAG } from '../src/bin/heap-flag.mjs';

/** The flags of the server that `npm start` starts. The clients of a benchmark, and its floor, get the same. */
const SERVER_FLAGS = [...packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--')), HEAP_FLAG];

/** A process of its own beside the benchmark's: a server under measurement, or its clients. */
export interface Child {
  readonly port: number;
  /** What it told when it was ready, its port included. */
  readonly told: Readonly<Record<string, unknown>>;
  /** Microseconds of processor time that it has used so far. */
  cpu(): Promise<number>;
  /** What the process gives for a question that it knows. One question at a time. */
  ask(question: string): Promise<any>;
  stop(): Promise<void>;
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
    execArgv: [...SERVER_FLAGS, ...(process.env['BENCH_CHILD_ARGS']?.split(' ') ?? [])],
  });
  const ready = await tell(child, { begin }, name);
  if (!('ready' in ready)) throw new Error(`${name}: not ready`);
  const ask = async (question: string) => {
    const said = await tell(child, { ask: question }, name);
    return 'answer' in said ? said.answer : undefined;
  };
  return {
    port: ready.ready.port,
    told: ready.ready,
    cpu: async () => Number(await ask('cpu')),
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
