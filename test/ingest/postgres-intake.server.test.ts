import { describe, expect, it } from 'vitest';
import type { Intake } from '../../src/ingest/intake/intake.ts';
import { RegistryUnavailable } from '../../src/platform/postgres/postgres-errors.ts';
import { postgresServer, withoutPostgres } from '../platform/postgres/postgres-server.ts';
import { patientTimeout } from '../support/patient-timeout.ts';
import type { Message } from './feed-messages.ts';
import { postgresWorld } from './identities/postgres-world.ts';
import { intakeContract } from './intake.contract.ts';
import { newIntakeWorld } from './intake-world.ts';

const about = { sport: 'nfl', league: 'nfl' };
const TEAMS = 10;
const GAMES = 50;

/** Games of a few teams, each pair at several times. */
const scheduleOf = (source: string, game: number): Message => ({
  kind: 'schedule',
  source,
  at: '2026-09-01T00:00:00Z',
  ...about,
  ref: `${source}-${game}`,
  starts_at: new Date(Date.parse('2026-09-10T18:00:00Z') + Math.floor(game / 5) * 7 * 86_400_000).toISOString(),
  participants: [
    { role: 'home', name: `Team ${game % TEAMS}`, ref: `${source}-t${game % TEAMS}` },
    { role: 'away', name: `Team ${(game + 5) % TEAMS}`, ref: `${source}-t${(game + 5) % TEAMS}` },
  ],
});
const scoreOf = (source: string, game: number, points: number): Message => ({
  kind: 'score',
  source,
  at: new Date(Date.parse('2026-09-10T19:00:00Z') + points * 1000).toISOString(),
  ref: `${source}-${game}`,
  status: 'inprogress',
  scores: [{ role: 'home', score: String(points) }],
});
const each = (make: (game: number) => Message) => Array.from({ length: GAMES }, (_, game) => make(game));

async function statusesOf(intake: Intake, messages: readonly Message[]): Promise<readonly string[]> {
  const { outcomes } = await intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
  return [...new Set(outcomes.map(({ status }) => status))];
}

describe.skipIf(withoutPostgres !== '')(`on a real server ${withoutPostgres}`, () => {
  const server = postgresServer();
  intakeContract('feeds, on PostgreSQL', () => newIntakeWorld(undefined, postgresWorld(server.database)));

  it('given batches of 50 messages, then each takes few round trips to the registry', async () => {
    let trips = 0;
    const onRoundTrip = () => {
      trips++;
    };
    const world = await newIntakeWorld(undefined, postgresWorld(server.database, { onRoundTrip }));
    const intake = await world.open();
    const taken: Record<string, number> = {};
    async function count(batch: string, messages: readonly Message[], status: string): Promise<void> {
      trips = 0;
      expect([batch, await statusesOf(intake, messages)]).toEqual([batch, [status]]);
      taken[batch] = trips;
    }
    await count(
      'scores that wait',
      each((game) => scoreOf('b', game, 1)),
      'quarantined',
    );
    await count(
      'new games of new teams',
      each((game) => scheduleOf('a', game)),
      'accepted',
    );
    await count(
      'the same again',
      each((game) => scheduleOf('a', game)),
      'unchanged',
    );
    await count(
      'scores of known games',
      each((game) => scoreOf('a', game, 1)),
      'accepted',
    );
    await count(
      'the games, told by another source',
      each((game) => scheduleOf('c', game)),
      'accepted',
    );
    await count(
      'games that others wait for',
      each((game) => scheduleOf('b', game)),
      'accepted',
    );
    console.log('round trips to the registry by batch of 50 messages', taken);
    const { 'scores that wait': parking, 'games that others wait for': releasing, ...plain } = taken;
    // One for the names, one for the pairs; blocks of ids; a flush and what it makes known.
    expect(Object.entries(plain).filter(([, count]) => count > 20)).toEqual([]);
    expect([taken['the same again'], taken['scores of known games']].map((count) => count! <= 2)).toEqual([true, true]);
    // Each message that is parked is asked for, and each key whose messages are taken up.
    expect(parking).toBeLessThanOrEqual(GAMES + 10);
    expect(releasing).toBeLessThanOrEqual(3 * GAMES);
    expect(await world.waiting()).toBe(0);
    await world.close();
  });

  it('given a registry that is away, then refs that the process knows go on, and others when it is back', async () => {
    const world = await newIntakeWorld(undefined, postgresWorld(server.database));
    const intake = await world.open();
    const messages = [0, 1].map((game) => scheduleOf('a', game));
    expect(await statusesOf(intake, messages)).toEqual(['accepted']);
    expect(await statusesOf(intake, [scoreOf('a', 0, 1)])).toEqual(['accepted']);
    await server.stop();
    expect(await statusesOf(intake, [scoreOf('a', 0, 2), scoreOf('a', 0, 3)])).toEqual(['accepted']);
    expect(await statusesOf(intake, [scoreOf('a', 0, 3)])).toEqual(['unchanged']);
    await expect(statusesOf(intake, [scheduleOf('a', 2)])).rejects.toBeInstanceOf(RegistryUnavailable);
    await expect(statusesOf(intake, [scoreOf('b', 0, 3)])).rejects.toBeInstanceOf(RegistryUnavailable);
    expect(await statusesOf(intake, [scoreOf('a', 0, 4)])).toEqual(['accepted']);
    await server.start();
    const again = () => statusesOf(intake, [scheduleOf('a', 2), scoreOf('a', 2, 1)]).catch(() => 'away');
    await expect.poll(again, { timeout: patientTimeout(20_000) }).toEqual(['accepted']);
    const records = await world.log.readAll(null, 1000);
    expect(records.filter(({ type }) => type === 'EventScheduled')).toHaveLength(3);
    expect(records.filter(({ type }) => type === 'ScoreChanged')).toHaveLength(5);
    await world.close();
  });
});
