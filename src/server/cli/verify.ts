import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { Config } from '../../platform/settings/config.ts';
import { isGenerationOf } from '../../read-models/projector/folding/generations.ts';
import {
  type LogPartitioning,
  type VerifyProgress,
  verifyProjection,
} from '../../read-models/projector/verify/verify-projection.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { ReadPorts } from '../composition/ports.ts';
import { type Arguments, runCommand, UsageError } from './arguments.ts';
import { showProgress } from './progress.ts';

const help = `
verify    checks every file of the data folder and every row that has a checksum; then folds the log again and compares
          every document of the read models with the outcome, and every seal with the facts of its day

  --projection NAME    of the read models only this one
  --data-dir DIR       the data folder (DATA_DIR, or ./data)

Standard output has a line for each thing that was looked at, and a last one for what was not. It may run beside the
server: it compares as of where each stands.
Exit codes: 0 all alike; 1 something is damaged or differs.`;

async function verify(args: Arguments): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError(`verify takes no ${args.positionals[0]}`);
  const { commandTarget: workplace } = await import('./command-target.ts');
  const { projections } = await import('../../../projections/index.ts');
  const only = args.text('projection');
  const chosen = projections.filter(({ name }) => only === undefined || name === only);
  if (chosen.length === 0) {
    throw new UsageError(`there is no projection ${only}; there are ${projections.map(({ name }) => name).join(', ')}`);
  }
  const { openScratchStore } = await import('../embedded/embedded-stores.ts');
  const { openReading } = await import('./open-reading.ts');
  const config = await workplace(args.dataDir, { command: 'verify', engines: ['event-log', 'read-store'] });
  const division = config.cluster && (await import('../cluster/cluster-view.ts')).FEED_DIVISION;
  const folder = config.cluster ? WHOLE : await checkFolder(config, chosen);
  if (!folder.canFold) {
    process.stdout.write(folder.notLookedAt);
    return 1;
  }
  const parts = await openReading(config);
  let alike = folder.isWhole;
  try {
    for (const projection of chosen) {
      const { line, differs } = await verifyOne(parts, openScratchStore, projection, division);
      process.stdout.write(`${line}\n`);
      if (differs) alike = false;
    }
    if (only === undefined && !(await verifySealsIn(parts))) alike = false;
  } finally {
    await parts.close();
  }
  process.stdout.write(folder.notLookedAt);
  return alike ? 0 : 1;
}

/** Builds the trees of all sealed days again. @returns whether all are as sealed */
async function verifySealsIn({ log, sealKeys }: ReadPorts): Promise<boolean> {
  const { createSealReader } = await import('../../read-models/seals/seal-reader.ts');
  const { verifySealsOfLog } = await import('../../read-models/seals/walk-days.ts');
  const { createLeafByRecord } = await import('../../accounts/seal-keys/leaf-by-record.ts');
  const leafByRecord = createLeafByRecord(sealKeys);
  const { seals, leaves, differences } = await verifySealsOfLog(log, createSealReader(log).all(), leafByRecord);
  const counted = `seals: ${seals} days with ${leaves} leaves`;
  const shown = differences.map(({ date, reason }) => `${date} ${reason}`).join('; ');
  const end = differences.length === 0 ? 'no difference' : `${differences.length} DIFFERENCES: ${shown}`;
  process.stdout.write(`${counted}, ${end}\n`);
  return differences.length === 0;
}

const WHOLE = { isWhole: true, canFold: true, notLookedAt: '' };

async function checkFolder(config: Config, projections: readonly Projection[]): Promise<typeof WHOLE> {
  const { NOT_LOOKED_AT, verifyFolder } = await import('../embedded/verify-folder.ts');
  const progress = showProgress('verify', 'steps');
  const found = { ...WHOLE };
  for await (const { text, isDamage, isEnd } of verifyFolder(config, projections, (_what, done) =>
    progress.update(done),
  )) {
    progress.end();
    process.stdout.write(`${text}\n`);
    if (isDamage) found.isWhole = false;
    if (isEnd) found.canFold = false;
  }
  return { ...found, notLookedAt: `${NOT_LOOKED_AT}\n` };
}

async function verifyOne(
  { log, store }: ReadPorts,
  openScratch: (folder: string) => ReadStore,
  projection: Projection,
  partitioning: LogPartitioning | undefined,
) {
  const { name, version } = projection;
  const build = await store.activeGeneration(name);
  if (!isGenerationOf(build, version)) {
    return { line: `${name}: not built yet, the next start does it`, differs: false };
  }
  const total = log.countBetween(null, await log.head()) ?? undefined;
  const progress = showProgress(`verify ${name}`, 'steps');
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-verify-'));
  // Removes the temporary documents, however the command ends.
  const discard = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', discard);
  const scratchStore = openScratch(folder);
  try {
    const onProgress = ({ phase, done }: VerifyProgress) => progress.update(done, phase === 'fold' ? total : undefined);
    const result = await verifyProjection({
      log,
      store,
      projection,
      scratchStore,
      onProgress,
      ...(partitioning && { partitioning }),
    });
    progress.end();
    const { documents, records, differences, differenceCount } = result;
    const counted = `${name}: ${documents} documents of ${records} records`;
    if (differenceCount === 0) return { line: `${counted}, no difference`, differs: false };
    const shown = differences.map(({ key, reason }) => `${key} ${reason}`).join('; ');
    return { line: `${counted}, ${differenceCount} DIFFERENCES: ${shown}`, differs: true };
  } finally {
    await scratchStore.close();
    process.off('exit', discard);
    discard();
  }
}

const form = { help, options: { projection: { type: 'string' } }, run: verify } as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
