import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../system/properties/runs.ts';
import { randomOf } from '../fuzz/random.ts';
import { HISTORY_KINDS, historyOf, seeds } from './histories.ts';
import type { Message } from './known-games.ts';
import { type Game, startOf } from './oracle/game.ts';
import { statsAnswer } from './oracle/stats-answer.ts';
import { iso, SOURCE } from './seasons.ts';
import { expectAsCalculated, NOW, type StatsServer, withStatsServer } from './stats-server.ts';

const kinds = fc.constantFrom(...HISTORY_KINDS);
const timeOf = ({ at }: Message): number => Date.parse(at);

/** Every event's answer, by its id. */
async function answersOf(server: StatsServer, games: readonly Game[]): Promise<Map<number, unknown>> {
  const answers = new Map<number, unknown>();
  for (const { eventId } of games) answers.set(eventId, await server.ask(eventId));
  return answers;
}

it.each(['observed', 'recorded'])('as of a moment (%s), only what was known then counts', async (as_of_basis) => {
  await fc.assert(
    fc.asyncProperty(kinds, seeds, (kind, seed) =>
      withStatsServer(async (server) => {
        const random = randomOf(seed);
        const messages = historyOf(kind, seed);
        await server.hearInTime(messages);
        const told = messages.filter(({ kind: of }) => of === 'score' || of === 'box').map(timeOf);
        for (let moment = 0; moment < 4; moment++) {
          // What has the very time is included; a second before, it is not.
          const at = random.pick(told) - random.pick([0, 1000]);
          const games = await server.games(at);
          for (let asked = 0; asked < 8; asked++) {
            const { eventId } = random.pick(games);
            const answer = await server.ask(eventId, { as_of: iso(at), as_of_basis });
            expect(answer, `event ${eventId} as of ${iso(at)}`).toEqual(statsAnswer(games, eventId));
          }
        }
      }),
    ),
    { ...runs(5), endOnFailure: true },
  );
});

it('the order in which messages arrive changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(kinds, seeds, (kind, seed) =>
      withStatsServer(async (server) => {
        await server.hear(shuffled(historyOf(kind, seed), seed));
        await expectAsCalculated(server);
      }),
    ),
    { ...runs(5), endOnFailure: true },
  );
});

it('later events and their box scores change no answer about an earlier one', async () => {
  await fc.assert(
    fc.asyncProperty(kinds, seeds, (kind, seed) =>
      withStatsServer(async (server) => {
        const messages = historyOf(kind, seed);
        const until = timeOf(randomOf(seed).pick(messages.filter((message) => message.kind === 'score')));
        await server.hearInTime(messages.filter((message) => timeOf(message) <= until));
        const games = (await server.games()).filter((game) => startOf(game) <= until);
        const before = await answersOf(server, games);

        const starts = new Map(messages.map(({ ref, starts_at }) => [ref, Date.parse(starts_at)]));
        for (const { ref, starts_at } of messages.filter((message) => message.kind === 'schedule'))
          starts.set(ref, Math.min(starts.get(ref) || Infinity, Date.parse(starts_at)));
        const later = messages.filter(
          (message) => timeOf(message) > until && (starts.get(message['ref']) ?? 0) > until,
        );
        await server.hearInTime(later);

        expect(await answersOf(server, games)).toEqual(before);
      }),
    ),
    { ...runs(5), endOnFailure: true },
  );
});

it.each(['score', 'box'])('a corrected %s changes exactly the answers that it concerns', async (subject) => {
  await fc.assert(
    fc.asyncProperty(kinds, seeds, (kind, seed) =>
      withStatsServer(async (server) => {
        const messages = historyOf(kind, seed);
        await server.hearInTime(messages);
        const games = await server.games();
        const ended = messages.filter((message) => message.kind === subject && isEnd(message));
        const before = await answersOf(server, games);

        await server.hear([corrected(randomOf(seed).pick(ended))]);

        const after = await answersOf(server, games);
        const known = await server.games();
        const changed = games.map(({ eventId }) => eventId).filter((id) => !same(after.get(id), before.get(id)));
        const concerned = games
          .map(({ eventId }) => eventId)
          .filter((id) => !same(statsAnswer(games, id), statsAnswer(known, id)));
        expect(changed).toEqual(concerned);
        for (const id of concerned) expect(after.get(id)).toEqual(statsAnswer(known, id));
      }),
    ),
    { ...runs(5), endOnFailure: true },
  );
});

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isEnd = (message: Message): boolean =>
  message['final'] === true || (message['status'] === 'final' && message['scores'] !== undefined);

/** The same said the other way round, after all else. */
function corrected(message: Message): Message {
  const turned: Readonly<Record<string, string>> = {
    home: 'away',
    away: 'home',
    player_1: 'player_2',
    player_2: 'player_1',
  };
  const { scores, teams, players, ...rest } = message;
  const byRole = (one: any) => ({ ...one, role: turned[one.role] });
  return {
    ...rest,
    source: SOURCE,
    at: iso(NOW - 1000),
    ...(scores ? { scores: scores.map(byRole) } : {}),
    ...(players ? { players: players.map(byRole) } : {}),
    ...(teams
      ? { teams: Object.fromEntries(Object.entries(teams).map(([role, stats]) => [turned[role], stats])) }
      : {}),
  } as Message;
}

function shuffled(messages: readonly Message[], seed: number): Message[] {
  const random = randomOf(seed);
  const rest = [...messages];
  return messages.map(() => rest.splice(random.below(rest.length), 1)[0]!);
}
