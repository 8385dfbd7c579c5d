import { programsFolder } from '../../../src/server/engines/engine.ts';
import { type EnginesMissing, fetchPrograms } from '../../../src/server/local-cluster/local-engines.ts';
import { shippedEngines } from '../../../src/server/local-cluster/shipped-engines.ts';
import { type Launched, launch, run } from '../cli/launching.ts';

/** The operator's own key, which needs no registry. */
export const OPERATOR_KEY = `llk_${'a'.repeat(12)}.${'b'.repeat(43)}`;

/** Why engines cannot be had here, for a title; empty: they can. The double of the event log is part of the build. */
export const whyNoEngines = (): Promise<string> =>
  fetchPrograms(shippedEngines, ['read-store', 'registry', 'limits', 'broker'], programsFolder()).then(
    () => '',
    (error: EnginesMissing) => `: skipped, ${error.lines.join('; ')}`,
  );

const PROGRAMS: Record<string, string> = {
  HOME: process.env['HOME']!,
  ...(process.env['ENGINES_DIR'] ? { ENGINES_DIR: process.env['ENGINES_DIR'] } : {}),
};

/** A whole cluster, its roles in one process, ended after the test. */
export async function launchCluster(
  folder: string,
  env: Record<string, string> = {},
): Promise<Launched & { readonly url: string }> {
  const cluster = launch(['cluster', '--data-dir', folder, '--compact'], {
    PORT: '0',
    FEEDS: 'none',
    INGEST_KEY: 'ingest',
    BOOTSTRAP_KEY: OPERATOR_KEY,
    ...PROGRAMS,
    ...env,
  });
  await cluster.has('\nready');
  return { ...cluster, url: /listening on (\S+)/.exec(cluster.output())![1]! };
}

/** Runs a command to its end, and takes its lines as JSON. */
export async function told(args: readonly string[], env: Record<string, string> = {}, input?: string) {
  const ended = await run(args, { env: { ...PROGRAMS, ...env }, ...(input === undefined ? {} : { input }) });
  const lines = ended.stdout.split('\n').filter((line) => line !== '');
  return { ...ended, lines, json: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}
