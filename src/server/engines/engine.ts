import { homedir } from 'node:os';
import { join } from 'node:path';
import { ENGINE_VARIABLES, type EngineName } from '../../platform/settings/engine-settings.ts';

export { ENGINE_NAMES, ENGINE_VARIABLES, type EngineName } from '../../platform/settings/engine-settings.ts';

/** An engine's program is missing and could not be fetched. */
export class EngineMissing extends Error {
  readonly code = 'engine_missing';
  readonly engine: EngineName;
  /** @param get the command that installs it */
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
  /** The engine's data folder. Created if missing; existing data is used. */
  readonly folder: string;
  /** A port on 127.0.0.1. */
  readonly port: number;
  /** The folder of fetched programs, which all starts share. */
  readonly programs: string;
}

/** A server that this process has started. */
export interface RunningEngine {
  readonly name: EngineName;
  /** The address as its environment variable takes it, with credentials. */
  readonly url: string;
  /** The leader of its process group. */
  readonly pid: number;
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Asks it to end, and resolves when it has ended. Kills it after 10 s. */
  stop(): Promise<void>;
}

/** A kind of server that can be started on this machine. */
export interface Engine {
  readonly name: EngineName;
  /** Finds its program, or fetches it from a package registry. @throws EngineMissing */
  fetch(programs: string): Promise<void>;
  /** Resolves when it answers. @throws EngineMissing; rejects when the process ends before it answers */
  start(start: EngineStart): Promise<RunningEngine>;
}

/** The folder of fetched programs: `ENGINES_DIR`, else a folder in the home of the user. */
export const programsFolder = (environment: Readonly<Record<string, string | undefined>> = process.env): string =>
  environment['ENGINES_DIR'] || join(homedir(), '.cache', 'ledgerline', 'engines');
