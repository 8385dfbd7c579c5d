import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import type { Seal } from '../../../src/domain/proof/seal.ts';
import { createDaySealer } from '../../../src/forecasting/sealing/day-sealer.ts';
import { createSealService } from '../../../src/forecasting/sealing/seal-service.ts';
import { createSealReader } from '../../../src/read-models/seals/seal-reader.ts';
import { createSealCommand } from '../../../src/server/composition/seal-command.ts';
import { type SealedLog, threeDays } from '../../domain/proof/sealed-days.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';

function serviceOf({ log, clock }: SealedLog, stamp: (seal: Seal) => Promise<void>, gate = { isOpen: true }) {
  const errors: string[] = [];
  const service = createSealService({
    closings: { recordDue: async () => Promise.reject(new Error('the store is away')) },
    experiments: { closeDue: async () => Promise.reject(new Error('the store is away')) },
    sealer: createDaySealer(log),
    stamp,
    gate,
    now: () => clock.now,
    setTimer: () => () => {},
    onError: (_, message) => void errors.push(message),
  });
  return { service, errors };
}

it('given closing prices and a stamp that fail, when days are over, then they are sealed, and the stamp is tried again', async () => {
  const given = await threeDays();
  const stamped: string[] = [];
  let works = false;
  const { service, errors } = serviceOf(given, async ({ date }) => {
    if (!works) throw new Error('it exits with 1');
    stamped.push(date);
  });
  await service.check();
  expect(await createSealReader(given.log).newest()).toMatchObject({ date: '2026-03-03' });
  expect(errors.filter((message) => message.startsWith('SEAL_COMMAND has failed'))).toHaveLength(3);
  works = true;
  await service.check();
  expect(stamped).toEqual([]);
  given.clock.now += 600_000;
  await service.check();
  await service.check();
  expect(stamped).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
});

it('given a clock that is doubted, when a day seems over, then nothing is sealed', async () => {
  const given = await threeDays();
  const { service } = serviceOf(given, async () => {}, { isOpen: false });
  await service.check();
  expect(await createSealReader(given.log).newest()).toBeNull();
});

/** A service whose day is asked of by a count, and whose timer goes off when it is told to. */
function startedAt(now: number) {
  const clock = { now };
  const asked: string[] = [];
  const timers: { wake: () => void; wait: number }[] = [];
  const faults = { left: 0 };
  const service = createSealService({
    closings: { recordDue: async () => {} },
    experiments: { closeDue: async () => {} },
    sealer: {
      async sealDue(at) {
        asked.push(new Date(at).toISOString());
        if (faults.left-- > 0) throw new Error('the log is away');
        return [];
      },
    },
    gate: { isOpen: true },
    now: () => clock.now,
    setTimer: (wake, wait) => {
      timers.push({ wake, wait });
      return () => {};
    },
    onError: () => {},
  });
  /** Lets the next timer go off. @returns how long it waited: milliseconds */
  async function wake(): Promise<number> {
    const { wake: go, wait } = timers.shift()!;
    clock.now += wait;
    go();
    await vi.waitFor(() => expect(timers).toHaveLength(1));
    return wait;
  }
  return { service, asked, timers, wake, faults };
}

it('given a start, when minutes go by, then days are looked for once, and again at the end of the day, to the second', async () => {
  const { service, asked, timers, wake } = startedAt(Date.parse('2026-03-01T23:57:30Z'));
  service.start();
  await vi.waitFor(() => expect(timers).toHaveLength(1));
  const waits = [await wake(), await wake(), await wake(), await wake()];
  expect(waits).toEqual([60_000, 60_000, 40_000, 60_000]);
  expect(asked).toEqual(['2026-03-01T23:57:30.000Z', '2026-03-02T00:00:10.000Z']);
  await service.close();
});

it('given a day that could not be sealed, then it is tried again every minute until it is', async () => {
  const { service, asked, timers, wake, faults } = startedAt(Date.parse('2026-03-01T23:57:30Z'));
  faults.left = 2;
  service.start();
  await vi.waitFor(() => expect(timers).toHaveLength(1));
  for (let minute = 0; minute < 2; minute++) expect(await wake()).toBe(60_000);
  expect(asked).toHaveLength(3);
  await service.close();
});

const folder = temporaryFolder();

it('given a program, when a day is sealed, then it gets date and root as they are, and no secret of the server', async () => {
  const [program, written] = [folder.path('stamp it'), folder.path('written')];
  writeFileSync(program, `#!/bin/sh\nprintf '%s|' "$#" "$1" "$2" "$SEAL" "$SECRET" > '${written}'\n`);
  chmodSync(program, 0o755);
  const seal = { date: '2026-03-01', root: '$(id)', previous: null, leaves: 0, position: '1' };
  await createSealCommand(program, { PATH: process.env['PATH'], SECRET: 'pepper' })(seal);
  expect(readFileSync(written, 'utf8')).toBe(`2|2026-03-01|$(id)|${JSON.stringify(seal)}||`);
  writeFileSync(program, '#!/bin/sh\nexit 3\n');
  await expect(createSealCommand(program, {})(seal)).rejects.toThrow();
  await expect(createSealCommand(folder.path('none'), {})(seal)).rejects.toThrow();
});
