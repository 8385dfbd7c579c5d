import { join } from 'node:path';
import { type Engine, EngineMissing, type EngineName, type RunningEngine } from '../engines/engine.ts';
import { onEngineSpawned } from '../engines/engine-process.ts';
import type { Startable } from './supervised-process.ts';

/** The programs of some engines are missing and could not be fetched. The message has a line for each. */
export class EnginesMissing extends Error {
  readonly code = 'engines_missing';
  readonly lines: readonly string[];
  constructor(missing: readonly EngineMissing[]) {
    const lines = missing.map(({ message }) => message.split('\n')[0]!);
    super(lines.join('\n'));
    this.name = 'EnginesMissing';
    this.lines = lines;
  }
}

/** Finds or fetches the programs of these engines. @throws EnginesMissing */
export async function fetchPrograms(engines: Engines, names: readonly EngineName[], programs: string): Promise<void> {
  const fetched = await Promise.allSettled(
    names.map(async (name) => {
      const engine = engines[name];
      if (!engine) throw new EngineMissing(name, 'a server', 'a later version');
      await engine.fetch(programs);
    }),
  );
  const failures = fetched.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const missing = failures.filter((failure) => failure instanceof EngineMissing);
  for (const failure of failures) if (!(failure instanceof EngineMissing)) throw failure;
  if (missing.length > 0) throw new EnginesMissing(missing);
}

interface LocalEngineOptions {
  /** The folder of the engines' data. Each engine has a folder of its own in it. */
  readonly folder: string;
  readonly programs: string;
  /** The same port after a restart, since clients know it. */
  readonly port: number;
}

export const engineServer = (engine: Engine, place: LocalEngineOptions): Startable<RunningEngine> => ({
  name: engine.name,
  async start(spawned) {
    const stopListening = onEngineSpawned((name, pid) => {
      if (name === engine.name) spawned(pid);
    });
    try {
      const { port, programs } = place;
      const running = await engine.start({ folder: join(place.folder, engine.name), port, programs });
      spawned(running.pid);
      return running;
    } finally {
      stopListening();
    }
  },
});

/** The engines that can be started on this machine. */
export type Engines = Readonly<Partial<Record<EngineName, Engine>>>;
