import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
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
