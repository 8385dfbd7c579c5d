import { type Random, randomOf } from '../fuzz/random.ts';
import { DistinctStarts } from './distinct-starts.ts';
import type { Message } from './known-games.ts';
import { iso, SOURCE } from './seasons.ts';

/**
 * Years of both tours as one source tells of them: tournaments with qualifying, a main draw and doubles; retirements,
 * walkovers, matches without sets, corrections; boxes by sides or by players. Everything follows from the seed.
 */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MEN = ['Adams', 'Berg', 'Costa', 'Diaz', 'Egger', 'Falk', 'Gomez', 'Holm'];
/** Two play on both tours, so that what crosses leagues shows. */
const WOMEN = ['Ito', 'Jansen', 'Kral', 'Lund', 'Adams', 'Berg'];
const ROLES = ['player_1', 'player_2'] as const;
const BOX_STATS = [
  ...['aces', 'double_faults', 'first_serve_pct', 'first_serve_points_won_pct', 'second_serve_points_won_pct'],
  ...['break_points_won', 'break_points_faced', 'total_points_won'],
];

interface Match {
  readonly ref: string;
  readonly league: string;
  readonly start: number;
  readonly players: readonly [string, string];
  readonly round?: string;
  readonly competition: object;
  readonly doubles?: true;
  readonly played: boolean;
}

/** The messages, in order of `at`. */
export function tournamentsOf(seed: number): Message[] {
  const random = randomOf(seed);
  const matches: Match[] = [];
  const starts = new DistinctStarts();
  for (const [league, entrants] of [['atp', MEN] as const, ['wta', WOMEN] as const]) {
    for (const opens of ['2024-10-07', '2024-12-29', '2025-01-13', '2025-05-20']) {
      const day = Date.parse(`${opens}T00:00:00Z`);
      matches.push(...tournamentOf(league, entrants, day, matches.length, starts, random));
    }
  }
  const messages = [...playersOf(random), ...matches.flatMap((match) => told(match, random))];
  return messages.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function tournamentOf(
  league: string,
  entrants: readonly string[],
  opens: number,
  first: number,
  starts: DistinctStarts,
  random: Random,
) {
  const surface = random.pick(['clay', 'grass', 'hard', 'indoor_hard', undefined]);
  const competition = { name: `${league} open ${opens}`, ...(surface ? { surface } : {}) };
  const matches: Match[] = [];
  let day = opens;
  const play = (players: readonly [string, string], round: string | undefined, more: Partial<Match> = {}) => {
    const start = starts.take(league, players, day + random.pick([0, 0, 11, 15]) * HOUR);
    const ref = `${league}-${first + matches.length}`;
    matches.push({
      ref,
      league,
      start,
      players,
      competition,
      played: true,
      ...(round ? { round } : {}),
      ...more,
    });
  };
  let field = shuffled(entrants, random);
  play([field[0]!, field[1]!], random.pick(['Q1', 'Q3', 'Qualifying', '2nd round qualifying']));
  play([`${field[0]}/${field[1]}`, `${field[2]}/${field[3]}`], '1st Round', { doubles: true });
  for (const round of ['Quarterfinals', 'Semifinals', 'The Final']) {
    day += random.below(3) * DAY;
    const through: string[] = [];
    while (field.length > 1) {
      const players = [field.shift()!, field.shift()!] as const;
      const isLast = opens > Date.parse('2025-05-01') && round === 'The Final';
      play(players, random.chance(0.85) ? round : undefined, { played: !isLast });
      through.push(random.pick(players));
    }
    field = [...through, ...field];
  }
  return matches;
}

function shuffled(names: readonly string[], random: Random): string[] {
  const rest = [...names];
  return names.map(() => rest.splice(random.below(rest.length), 1)[0]!);
}

function playersOf(random: Random): Message[] {
  const began = Date.parse('2024-01-05T00:00:00Z');
  const described = (name: string, at: number): Message => ({
    kind: 'player',
    source: SOURCE,
    at: iso(at),
    sport: 'tennis',
    ref: name,
    full_name: `${name} X.`,
    ...(random.chance(0.7) ? { country_code: random.pick(['ESP', 'USA']) } : {}),
    ...(random.chance(0.7) ? { tennis_ranking: 1 + random.below(100), tennis_ranking_points: random.below(9000) } : {}),
  });
  return [...new Set([...MEN, ...WOMEN])].flatMap((name) => [
    described(name, began),
    ...(random.chance(0.4) ? [described(name, began + DAY + random.below(600) * DAY)] : []),
  ]);
}

function told({ ref, league, start, players, doubles, played, ...facts }: Match, random: Random): Message[] {
  const messages: Message[] = [];
  const say = (kind: string, at: number, more: object) =>
    messages.push({ kind, source: SOURCE, at: iso(at), ref, ...more });
  const { round, competition } = facts;
  const participants = players.map((name, index) => ({
    role: ROLES[index],
    name: doubles ? name : `${name} X.`,
    ...(doubles ? { members: name.split('/').map((one) => ({ ref: one, name: `${one} X.` })) } : { ref: name }),
  }));
  const drawn = doubles || random.chance(0.6) ? { draw_type: doubles ? 'doubles' : 'singles' } : {};
  const more = { ...(round ? { round } : {}), competition, ...drawn };
  say('schedule', start - 2 * DAY, { sport: 'tennis', league, starts_at: iso(start), participants, ...more });
  if (!played) return messages;
  const end = start + 2 * HOUR + random.pick([0, 60, 240, 60 * 30]) * 60_000;
  const fate = random.below(100);
  if (fate < 8) {
    say('score', end, { status: 'walkover', result_type: 'walkover', ...winnerOf(random.pick([0, 1])) });
    return messages;
  }
  if (fate < 12) {
    say('score', end, { status: random.pick(['cancelled', 'postponed']) });
    return messages;
  }
  if (random.chance(0.2)) say('score', start + HOUR, { status: 'inprogress', period: 'Set 1' });
  // Ended, and nobody says who has won.
  if (fate < 14) say('score', end, { status: 'final' });
  else say('score', end, { status: 'final', ...outcomeOf(random, random.pick(['both', 'both', 'periods', 'none'])) });
  if (random.chance(0.1)) say('score', end + 9 * HOUR, { status: 'final', ...outcomeOf(random, 'both') });
  // Which of the two forms counts where a match has boxes of both the specification leaves open.
  const byPlayers = random.chance(0.3);
  if (random.chance(0.7)) say('box', end + random.pick([0, 30]) * 60_000, boxOf(players, byPlayers, random));
  if (random.chance(0.1)) say('box', end + 10 * HOUR, boxOf(players, byPlayers, random));
  return messages;
}

const winnerOf = (winner: number) => ({ scores: ROLES.map((role, index) => ({ role, is_winner: index === winner })) });

/** @param stating how the sets are stated: as the score, by periods, or not at all */
function outcomeOf(random: Random, stating: 'both' | 'periods' | 'none') {
  const winner = random.below(2);
  const set = (by: number): [number, number] => {
    const [won, lost] = random.pick([
      [6, 0],
      [6, 3],
      [6, 4],
      [7, 5],
      [7, 6],
    ] as const);
    return by === 0 ? [won, lost] : [lost, won];
  };
  const sets = random.chance(0.4) ? [set(winner), set(1 - winner), set(winner)] : [set(winner), set(winner)];
  const retired = random.chance(0.2);
  // Given up in a set that is being played, or right after one.
  if (retired)
    sets.splice(-1, 1, ...(random.chance(0.8) ? [[random.below(6), random.below(5)] as [number, number]] : []));
  const scores = ROLES.map((role, index) => ({
    role,
    ...(stating === 'both' ? { score: sets.map((games) => games[index]).join(' ') } : {}),
    ...(stating === 'none'
      ? {}
      : { period_scores: sets.map((games, place) => ({ period: `S${place + 1}`, score: games[index]! })) }),
    ...(retired || stating !== 'both' || random.chance(0.7) ? { is_winner: index === winner } : {}),
  }));
  return { result_type: retired ? 'retired' : 'regulation', scores };
}

/** Stats of the sides, under either name of them, or of the players themselves. */
function boxOf(players: readonly [string, string], byPlayers: boolean, random: Random) {
  const stats = () =>
    Object.fromEntries(
      BOX_STATS.filter(() => random.chance(0.85)).map((stat) => [
        stat,
        stat.endsWith('_pct') ? random.below(1000) / 10 : random.below(30),
      ]),
    );
  const rows = ROLES.map((role, index) => ({
    ref: players[index],
    name: `${players[index]} X.`,
    role,
    stats: stats(),
  }));
  if (byPlayers) return { final: true, players: rows };
  const [one, other] = random.chance(0.5) ? ROLES : ['home', 'away'];
  return { final: true, teams: { [one!]: stats(), [other!]: stats() } };
}
