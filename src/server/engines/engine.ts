import { homedir } from 'node:os';
import { join } from 'node:path';
import { ENGINE_VARIABLES, type EngineName } from '../../platform/settings/engine-settings.ts';

export { ENGINE_NAMES, ENGINE_VARIABLES, type EngineName } from '../../platform/settings/engine-settings.ts';

/** An engine's program is not on this machine, and could not be fetched. */
export class EngineMissing extends Error {
  readonly code = 'engine_missing';
  readonly engine: EngineName;
  /** @param get the command that gets it */
  constructor(engine: EngineName, program: string, get: string, options?: ErrorOptions) {
    super(
      `${engine}: ${program} is not on this machine; get it by \`${get}\`, ` +
        `or give the address of one elsewhere in ${ENGINE_VARIABLES[engine]}`,
      options,
    );
    this.name = 'EngineMissing';
    this.engine = engine;
  }
}

export interface EngineStart {
  /** What this engine alone keeps; made where it is missing. What stands in it is served again. */
  readonly folder: string;
  /** On 127.0.0.1. */
  readonly port: number;
  /** Where programs are that were fetched; shared by all who start engines. */
  readonly programs: string;
}

/** A server that this process has started. */
export interface RunningEngine {
  readonly name: EngineName;
  /** As its variable takes it, with credentials where there are some. */
  readonly url: string;
  /** Leader of a process group of its own. */
  readonly pid: number;
  /** Resolves when the process has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Asks it to end, and resolves when it has; what takes longer than 10 s is killed. */
  stop(): Promise<void>;
}

/** A kind of server that can be started on this machine. */
export interface Engine {
  readonly name: EngineName;
  /** Finds its program, or fetches what package registries have of it. @throws EngineMissing */
  fetch(programs: string): Promise<void>;
  /** Resolves when it answers. @throws EngineMissing; rejects when the process ends before it answers */
  start(start: EngineStart): Promise<RunningEngine>;
}

/** Where engines' programs are that were fetched: `ENGINES_DIR`, else a folder of the user who runs this process. */
export const programsFolder = (environment: Readonly<Record<string, string | undefined>> = process.env): string =>
  environment['ENGINES_DIR'] || join(homedir(), '.cache', 'ledgerline', 'engines');
