import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { TeamNamesDocument } from '../projections/directory/team-names.ts';
import { BOOTSTRAP_PRINCIPAL } from '../src/accounts/keys/authenticator.ts';
import { resolvePlayer } from '../src/api/operations/resolving/resolve-player.ts';
import { resolveTeam } from '../src/api/operations/resolving/resolve-team.ts';
import { openSqliteStore } from '../src/read-models/store/sqlite/sqlite-store.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { seeded } from './event-history.ts';
import { generatedPlayers } from './generated-players.ts';
import { fillNames } from './names-store.ts';
import { percentile } from './percentile.ts';

const FULL = { players: 100_000, teams: 1500, asked: 4000, warmUp: 400 };
const QUICK = { players: 2000, teams: 100, asked: 100, warmUp: 10 };
const SPORTS = ['nfl', 'nba', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'soccer'];
const WORDS = 'North South East West River Lake Hill Port Spring Fort Mount Bay Oak Stone Green White'.split(' ');
const NICKNAMES = 'United City Bears Kings Rovers Wanderers Tigers Hawks State Lions Wolves Rangers'.split(' ');

/** Names resolved in a large directory, by the ways in which they are written. */
export const resolve: Benchmark = {
  name: 'resolve',
  summary: 'names of players and teams resolved among 100,000 players',
  runs: 1,
  async run({ folder, quick, say }) {
    const { players: count, teams: teamCount, asked, warmUp } = quick ? QUICK : FULL;
    const random = seeded(7);
    const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
    const teams = Array.from({ length: teamCount }, (_, index): TeamNamesDocument => {
      const sport = SPORTS[index % SPORTS.length]!;
      const name = `${one(WORDS)}${one(WORDS).toLowerCase()} ${one(WORDS)} ${one(NICKNAMES)}`;
      return { id: index + 1, sport, league: sport === 'soccer' ? 'epl' : sport, facts: { name } };
    });
    const teamIds = new Map(SPORTS.map((sport) => [sport, teams.filter((team) => team.sport === sport)] as const));
    const players = generatedPlayers(count, (sport) => (teamIds.get(sport) ?? []).map(({ id }) => id));
    say(`writing ${count} players and ${teamCount} teams`);
    const file = join(folder, 'names.db');
    const store = openSqliteStore({ file });
    const begun = performance.now();
    await fillNames(store, teams, players);
    const figures: Figure[] = [
      { what: 'index of names written', value: (count / (performance.now() - begun)) * 1000, unit: 'players/s' },
      { what: 'index of names on disk', value: statSync(file).size / 2 ** 20, unit: 'MiB' },
    ];
    const context = { store, principal: BOOTSTRAP_PRINCIPAL } as never;
    const ask = {
      'a player by name': (query: string) => resolvePlayer.run({ query } as never, context),
      'a player by last name, strict': (query: string) => resolvePlayer.run({ query: lastOf(query) } as never, context),
      'a player by initial and last name': (query: string) =>
        resolvePlayer.run({ query: `${query[0]}. ${lastOf(query)}` } as never, context),
      'a mistyped player, permissive': (query: string) =>
        resolvePlayer.run({ query: `${query}x`, options: { mode: 'permissive' } } as never, context),
      'the commonest last name': () => resolvePlayer.run({ query: 'Smith' } as never, context),
    };
    for (const [what, run] of Object.entries(ask)) {
      const times: number[] = [];
      for (let n = -warmUp; n < asked; n++) {
        const query = one(players).facts.full_name;
        const from = performance.now();
        await run(query);
        if (n >= 0) times.push(performance.now() - from);
      }
      figures.push(...figuresOf(what, times));
    }
    const times: number[] = [];
    for (let n = -warmUp; n < asked; n++) {
      const words = one(teams).facts.name.split(' ');
      const query = one([words.join(' '), words[1]!, words.slice(0, 2).join(' ')]);
      const from = performance.now();
      await resolveTeam.run({ query } as never, context);
      if (n >= 0) times.push(performance.now() - from);
    }
    await store.close();
    return [...figures, ...figuresOf('a team by name, or by part of it', times)];
  },
};

const lastOf = (name: string): string => name.slice(name.indexOf(' ') + 1);

const figuresOf = (what: string, times: number[]): Figure[] => [
  { what: `${what}, p50`, value: percentile(times, 0.5), unit: 'ms' },
  {
    what: `${what}, p99`,
    value: percentile(times, 0.99),
    unit: 'ms',
    goal: { of: 'value', bound: 'at most', number: 10 },
  },
];
