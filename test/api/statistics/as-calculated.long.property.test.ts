import fc from 'fast-check';
import { describe, it } from 'vitest';
import { runs } from '../../system/properties/runs.ts';
import { HISTORY_KINDS, historyOf, seeds } from './histories.ts';
import { expectAsCalculated, withStatsServer } from './stats-server.ts';

describe.each(HISTORY_KINDS)('years of %s', (kind) => {
  it('give the statistics that an independent calculation gives', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, (seed) =>
        withStatsServer(async (server) => {
          await server.hearInTime(historyOf(kind, seed));
          await expectAsCalculated(server);
        }),
      ),
      { ...runs(5), endOnFailure: true },
    );
  });
});
