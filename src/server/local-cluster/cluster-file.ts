import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../../platform/settings/deployment-profile.ts';
import type { EngineName } from '../../platform/settings/engine-settings.ts';

/** The running processes and engines of a cluster. A process with several roles stands in it once for each. */
export interface ClusterState {
  readonly processes: readonly {
    readonly role: Role;
    /** Null while it restarts. */
    readonly pid: number | null;
    /** A port of 127.0.0.1 with `/healthz`, `/readyz`, `/metrics`, and the routes of the role. */
    readonly port: number;
  }[];
  readonly engines: readonly {
    readonly name: EngineName;
    /** Without credentials. */
    readonly url: string;
    /** Null also for an engine that runs elsewhere. */
    readonly pid: number | null;
  }[];
}

export const clusterFile = (folder: string): string => join(folder, 'cluster.json');

/** Replaces the file in one step, readable by its owner only. */
export function writePrivateJson(file: string, value: unknown): void {
  const draft = `${file}.draft`;
  writeFileSync(draft, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Undefined if the file is missing or incomplete. */
export function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
