import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { recoverCharges } from '../../../src/accounts/journal/recover-charges.ts';
import { createSecretBox } from '../../../src/api/calls/secret-box.ts';
import type { LedgerEvent } from '../../../src/domain/accounts/account-events.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { upcast } from '../../../src/domain/upcasters.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { type LogDisk, openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { databaseFile, journalFiles } from '../../../src/platform/data-folder/folder-paths.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { realEnvironment, silentLog } from '../../../src/server/composition/environment.ts';
import { openIntake } from '../../../src/server/composition/open-core.ts';
import { openEmbedded } from '../../../src/server/embedded/embedded-stores.ts';
import { randomOf } from '../../api/fuzz/random.ts';
import { cases } from '../../support/cases.ts';
import { countedBytes, PEPPER, START } from '../../support/composed.ts';
import { type Acknowledged, type Moment, playRun, type Run, teamOf } from './power.ts';

let folder: string;
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs, and points of each at which the power fails. */
const RUNS = 8;
const POINTS = cases(125);
/** Of these, one in so many is looked at by sending everything again too. */
const SENT_AGAIN = 25;

/** Nobody fails here any more, so that nothing need be flushed. */
const QUICK: LogDisk = {
  flush: async () => {},
  failed: (_, error) => error,
};

async function recordsOf(log: EventLog): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const page of log.readAllFrom(null)) records.push(...page);
  return records;
}

/** What was acknowledged is there, once, and nothing that was never asked for. */
function expectKept(records: readonly LogRecord[], acknowledged: readonly Acknowledged[], about: string): void {
  const refs = records.filter(({ type }) => type === 'TeamChanged').map(({ data }) => JSON.stringify(data));
  const charges = (records as readonly unknown[] as readonly LedgerEvent[]).flatMap((record) =>
    record.type === 'CreditsCharged' ? record.data.charges : [],
  );
  const charged = new Map(charges.map(({ requestId, credits }) => [requestId, credits]));
  expect(charged.size, `charged twice ${about}`).toBe(charges.length);
  expect(new Set(refs).size, `told twice ${about}`).toBe(refs.length);
  const lost = acknowledged.filter((one) =>
    one.kind === 'charge'
      ? charged.get(one.requestId) !== one.credits
      : !refs.some((text) => text.includes(`"Team ${one.ref}"`)),
  );
  expect(lost, `lost ${about}`).toEqual([]);
}

/** Each stream is whole, and each record has its place. */
function expectWhole(records: readonly LogRecord[], about: string): void {
  const revisions = new Map<string, number>();
  records.forEach(({ position, stream, revision }, index) => {
    expect([position, revision], about).toEqual([BigInt(index + 1), (revisions.get(stream) ?? -1) + 1]);
    revisions.set(stream, revision);
  });
}

async function expectSoundImage(run: Run, moment: Moment, seed: number, sendsAgain: boolean): Promise<void> {
  const about = `after a power failure at ${run.moments.indexOf(moment)} (${moment.what}), SEED ${seed}`;
  const image = mkdtempSync(join(folder, 'image-'));
  run.image(moment, image, randomOf(seed + run.moments.indexOf(moment)));
  const acknowledged = run.acknowledged.slice(0, moment.acknowledged);
  const log = openSqliteLog({ file: databaseFile(image), upcast, disk: QUICK });
  await recoverCharges(log, createMemoryStore(), journalFiles(image));
  const records = await recordsOf(log);
  await log.close();
  expectWhole(records, about);
  expectKept(records, acknowledged, about);
  if (sendsAgain) {
    const environment = { ...realEnvironment(silentLog), now: () => START };
    const ports = await openEmbedded(
      image,
      { pepper: PEPPER, session: PEPPER, box: createSecretBox(PEPPER, countedBytes()) },
      environment,
    );
    const intake = await openIntake(ports, environment);
    const refs = acknowledged.flatMap((one) => (one.kind === 'message' ? [one.ref] : []));
    const { outcomes } = await intake.accept(refs.map((ref, line) => ({ line, value: teamOf(ref) })));
    expect(new Set(outcomes.map(({ status }) => status)).size, about).toBeLessThanOrEqual(1);
    expect(outcomes[0]?.status ?? 'unchanged', about).toBe('unchanged');
    await ports.close();
  }
  rmSync(image, { recursive: true });
}

describe('a power failure loses nothing that was acknowledged', () => {
  const first = Number(process.env['SEED'] ?? 1);
  it.each(Array.from({ length: RUNS }, (_, run) => first + run))('at any point of run %i', async (seed) => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerline-power-'));
    const random = randomOf(seed);
    const run = await playRun(join(folder, 'data'), { random, requests: POINTS });
    expect(run.moments.length).toBeGreaterThanOrEqual(POINTS);
    expect(run.acknowledged.some(({ kind }) => kind === 'charge')).toBe(true);
    for (let point = 0; point < POINTS; point++) {
      const moment = run.moments[Math.floor((point * run.moments.length) / POINTS)]!;
      await expectSoundImage(run, moment, seed, point % SENT_AGAIN === 0);
    }
  });
});
