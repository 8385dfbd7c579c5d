import { describe, expect, it } from 'vitest';
import type { Identities } from '../../../src/ingest/identities/identities.ts';
import { IdentityConflict } from '../../../src/ingest/identities/identities.ts';
import { postgresServer, withoutPostgres } from '../../platform/postgres/postgres-server.ts';
import { identitiesContract } from './identities.contract.ts';
import { lostAnswersContract } from './lost-answers.contract.ts';
import { postgresWorld } from './postgres-world.ts';
import { twoIntakesContract } from './two-intakes.contract.ts';

describe.skipIf(withoutPostgres !== '')(`on a real server ${withoutPostgres}`, () => {
  const server = postgresServer();
  const begin = postgresWorld(server.database);
  identitiesContract('PostgreSQL', begin);
  lostAnswersContract('in PostgreSQL', begin, 8);
  twoIntakesContract('in PostgreSQL', begin, 15);

  it('given four processes that hear of the same games at once, each from a source of its own, then each game has one id', async () => {
    const world = await begin();
    const all = await Promise.all([0, 1, 2, 3].map(() => world.open()));
    const gamesOf = (round: number) => Array.from({ length: 50 }, (_, n) => `g${(round * 20 + n) % 200}`);

    async function hear(one: Identities, source: string, games: readonly string[]): Promise<void> {
      await one.prefetch({
        events: games.map((ref) => ({ source, ref })),
        entities: [],
        names: games.map((name) => ({ kind: 'team', scope: 'nfl', name })),
        pairs: games,
      });
      for (const game of games) {
        if (await one.findEvent(source, game)) continue;
        const [placed] = await one.findFixtures(game);
        const id = placed?.id ?? (await one.allocate('event'))[0]!;
        await one.bindEvent(source, game, { id, swapped: false });
        if (placed) continue;
        await one.addName('team', 'nfl', game, id);
        await one.putFixture(id, { pair: game, startsAt: 0, sides: [`${game}-1`, `${game}-2`] }, null);
      }
      await one.flush();
      await one.confirmClaimed();
    }

    await Promise.all(
      all.map(async (one, process) => {
        for (let round = 0; round < 15; ) {
          try {
            await hear(one, `source-${process}`, gamesOf(round));
            round++;
          } catch (error) {
            if (!(error instanceof IdentityConflict)) throw error;
            await one.reset();
          }
        }
      }),
    );

    const other = await world.open();
    const ids = new Set<number>();
    for (const game of new Set(Array.from({ length: 15 }, (_, round) => gamesOf(round)).flat())) {
      const bound = await Promise.all(all.map((_, process) => other.findEvent(`source-${process}`, game)));
      const { id } = bound[0]!;
      expect(bound.map((one) => one?.id)).toEqual([id, id, id, id]);
      expect(await other.findByName('team', 'nfl', game)).toEqual([id]);
      expect((await other.findFixtures(game)).map((fixture) => fixture.id)).toEqual([id]);
      ids.add(id);
    }
    expect(ids.size).toBe(200);
    await world.close();
  });
});
