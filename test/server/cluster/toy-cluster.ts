import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { ENGINE_NAMES, type EngineName } from '../../../src/platform/settings/engine-settings.ts';
import type { Engine } from '../../../src/server/engines/engine.ts';
import { startProcess } from '../../../src/server/engines/engine-process.ts';
import { type ClusterState, clusterFile } from '../../../src/server/local-cluster/cluster-file.ts';
import {
  type LocalCluster,
  type LocalClusterParts,
  processesOfRoles,
  startLocalCluster,
} from '../../../src/server/local-cluster/local-cluster.ts';
import { readClusterConfig } from '../../../src/server/local-cluster/local-cluster-config.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export const KEEPER: LocalClusterParts['reaper'] = [
  process.execPath,
  fileOf('../../../src/server/bin/process-reaper.mjs'),
];
export const ROLE: LocalClusterParts['command'] = [process.execPath, fileOf('./toy-role.mjs')];

/** Keeps its data in its folder, and answers on its port. */
export const toyEngine = (name: EngineName): Engine => ({
  name,
  async fetch() {},
  start({ folder, port }) {
    const url = `http://127.0.0.1:${port}`;
    return startProcess({
      name,
      folder,
      program: process.execPath,
      url: `${name}://me:secret@127.0.0.1:${port}/base`,
      arguments: [fileOf('./toy-engine.mjs'), String(port), join(folder, 'starts')],
      answers: async () => (await fetch(url)).ok,
    });
  },
});

export const TOY_ENGINES = Object.fromEntries(ENGINE_NAMES.map((name) => [name, toyEngine(name)])) as Readonly<
  Record<EngineName, Engine>
>;

export function clusterFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'll-cluster-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What the command does, with toys in the place of the roles and the engines. Ended after the test. */
export async function startToys(
  folder: string,
  environment: Record<string, string> = {},
  given: Partial<LocalClusterParts> = {},
  signal = new AbortController().signal,
): Promise<LocalCluster & { readonly warnings: string[] }> {
  const warnings: string[] = [];
  const env = { PATH: process.env['PATH'], PORT: '0', ...environment };
  const config = readClusterConfig({ ...env, ...addressesOf(env) }, folder);
  const cluster = await startLocalCluster(
    {
      folder,
      config,
      environment: env,
      programs: folder,
      command: ROLE,
      reaper: KEEPER,
      engines: async () => TOY_ENGINES,
      processes: processesOfRoles({ api: 2, ingest: 1, projector: 1, webhooks: 1, relay: 1, intelligence: 1 }),
      warn: (line) => void warnings.push(line),
      ...given,
    },
    signal,
  );
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= cluster.stop());
  onTestFinished(stop);
  return { ...cluster, stop, warnings };
}

/** As `startToys`; every process is ready. */
export async function startReadyToys(...given: Parameters<typeof startToys>): ReturnType<typeof startToys> {
  const cluster = await startToys(...given);
  await cluster.ready;
  return cluster;
}

const addressesOf = (env: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.endsWith('_URL')));

export const stateOf = (folder: string) => JSON.parse(readFileSync(clusterFile(folder), 'utf8')) as ClusterState;
export const modeOf = (folder: string) => statSync(clusterFile(folder)).mode & 0o777;

export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A dead one whose parent has not asked for it yet is there as well.
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Waits until something holds. @returns what `look` gave then, and after how many milliseconds */
export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  withinMs = patientTimeout(10_000),
) {
  const begin = performance.now();
  for (;;) {
    const value = await look();
    const after = performance.now() - begin;
    if (value !== undefined && value !== false) return { value, after };
    if (after > withinMs) throw new Error(`it did not happen within ${withinMs} ms`);
    await setTimeout(20);
  }
}
