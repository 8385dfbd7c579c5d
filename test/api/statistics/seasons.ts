import { type Random, randomOf } from '../fuzz/random.ts';
import { DistinctStarts } from './distinct-starts.ts';
import type { Message } from './known-games.ts';
import { STATS } from './oracle/other-team-sports.ts';

/**
 * Whole seasons of a team sport as one source tells of them: preseason, a round robin, playoffs; neutral sites, ties,
 * overtimes, shootouts; games that are moved, called off, reported late or corrected; boxes that are missing or state a
 * part. Everything follows from the seed.
 */
export type SeasonSport = 'soccer' | 'world_cup' | 'nfl' | 'ncaaf' | 'nba' | 'ncaab' | 'mlb' | 'nhl';
export const SEASON_SPORTS: readonly SeasonSport[] = [
  ...(['soccer', 'world_cup', 'nfl', 'ncaaf', 'nba', 'ncaab', 'mlb', 'nhl'] as const),
];

export const SOURCE = 'feed';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
export const iso = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');

interface Plan {
  readonly sport: string;
  readonly leagues: readonly string[];
  /** Month and day of the first regular game. */
  readonly opens: string;
  readonly daysBetween: readonly number[];
}
const SOCCER = { sport: 'soccer', opens: '08-20', daysBetween: [3, 4, 7] };
const PLANS: Readonly<Record<SeasonSport, Plan>> = {
  soccer: { ...SOCCER, leagues: ['epl', 'ucl'] },
  world_cup: { ...SOCCER, opens: '06-10', leagues: ['fifa_world_cup'] },
  nfl: { sport: 'nfl', leagues: ['nfl'], opens: '09-05', daysBetween: [4, 7, 7, 14] },
  ncaaf: { sport: 'ncaaf', leagues: ['ncaaf'], opens: '09-05', daysBetween: [7] },
  nba: { sport: 'nba', leagues: ['nba'], opens: '10-25', daysBetween: [1, 2, 3] },
  ncaab: { sport: 'ncaab', leagues: ['ncaab'], opens: '11-05', daysBetween: [2, 3] },
  mlb: { sport: 'mlb', leagues: ['mlb'], opens: '04-01', daysBetween: [1] },
  nhl: { sport: 'nhl', leagues: ['nhl'], opens: '10-10', daysBetween: [1, 2] },
};

const SOCCER_STATS = [
  ...['shots', 'shots_on_target', 'possession_pct', 'corners', 'fouls', 'yellow_cards', 'red_cards', 'passes'],
  ...['pass_accuracy_pct', 'saves', 'offsides', 'tackles', 'interceptions', 'blocked_shots', 'assists'],
];
const NAMES = ['Ashford', 'Brook', 'Cove', 'Dale', 'Elm', 'Fenn'];

interface Fixture {
  readonly ref: string;
  readonly league: string;
  readonly year: number;
  readonly phase: string;
  readonly start: number;
  readonly sides: readonly [string, string];
  /** A knockout has a winner. */
  readonly knockout: boolean;
  readonly placeholder?: true;
  /** The start is a placeholder (`tbd`). */
  readonly isOpen?: true;
}

/** The messages, in order of `at`. */
export function seasonsOf(kind: SeasonSport, seed: number): Message[] {
  const random = randomOf(seed);
  const plan = PLANS[kind];
  const starts = new DistinctStarts();
  const fixtures = plan.leagues.flatMap((league, index) =>
    [2024, 2025].flatMap((year) => fixturesOf(plan, league, year, index, starts, random)),
  );
  const last = Math.max(...fixtures.map(({ start }) => start)) - 3 * DAY;
  const messages = [
    ...directoryOf(plan, random),
    ...fixtures.flatMap((one) => told(one, fixtures, plan, last, starts, random)),
  ];
  return messages.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Round robin by the circle method, each round on a day of its own; the leagues of one sport share teams and days. */
function fixturesOf(
  plan: Plan,
  league: string,
  year: number,
  offset: number,
  starts: DistinctStarts,
  random: Random,
): Fixture[] {
  const teams = offset === 0 ? NAMES.slice(0, 6) : NAMES.slice(2, 6);
  const opens = Date.parse(`${year}-${plan.opens}T18:00:00Z`) + offset * DAY;
  const fixtures: Fixture[] = [];
  const add = (day: number, sides: readonly [string, string], phase: string, more: Partial<Fixture> = {}) => {
    const drawn = day + random.pick([0, 0, 90, 150, 271]) * 60_000;
    const start = more.isOpen ? drawn : starts.take(league, sides, drawn);
    const ref = `${league}-${year}-${fixtures.length}`;
    fixtures.push({ ref, league, year, phase, start, sides, knockout: false, ...more });
  };
  if (plan.sport !== 'soccer') {
    add(opens - 12 * DAY, [teams[0]!, teams[1]!], 'preseason');
    add(opens - 9 * DAY, [teams[2]!, teams[0]!], 'preseason');
  }
  let day = opens;
  const ring = [...teams];
  for (let round = 1; round < teams.length; round++) {
    for (let place = 0; place < teams.length / 2; place++) {
      const [one, two] = [ring[place]!, ring[teams.length - 1 - place]!];
      const sides = random.chance(0.5) ? ([one, two] as const) : ([two, one] as const);
      add(day, sides, 'regular_season');
      // Two games of one day, the start of the second of which nobody knows.
      if (plan.sport === 'mlb' && random.chance(0.2)) add(day, sides, 'regular_season', { isOpen: true });
    }
    ring.splice(1, 0, ring.pop()!);
    day += random.pick(plan.daysBetween) * DAY;
  }
  const knockout = league === 'epl' ? {} : { knockout: true };
  for (const sides of [
    [0, 1],
    [1, 0],
    [2, 0],
    [0, 3],
  ] as const) {
    add(day, [teams[sides[0]]!, teams[sides[1]]!], 'playoffs', knockout);
    day += random.pick(plan.daysBetween) * DAY;
  }
  add(day, [teams[0]!, 'Winner of the final'], 'playoffs', { ...knockout, placeholder: true });
  return fixtures;
}

function directoryOf({ sport, leagues }: Plan, random: Random): Message[] {
  const began = Date.parse('2024-01-05T00:00:00Z');
  const common = { source: SOURCE, sport, league: leagues[0]! };
  const teamOf = (name: string, at: number): Message => ({
    kind: 'team',
    ...common,
    at: iso(at),
    ref: name,
    name: `${name} ${sport}`,
    abbreviation: name.slice(0, 3).toUpperCase(),
    ...(random.chance(0.7) ? { conference: random.pick(['UEFA', 'CAF']) } : {}),
    ...(random.chance(0.7) ? { fifa_rank: 1 + random.below(90) } : {}),
    ...(random.chance(0.5) ? { image_url: `https://x.example/${name}/${random.below(9)}` } : {}),
  });
  const players = NAMES.flatMap((team) =>
    [1, 2].map((number): Message => {
      const at = iso(began + DAY);
      const full_name = `${team} Player ${number}`;
      return { kind: 'player', ...common, at, ref: playerRef(team, number), full_name, team_ref: team };
    }),
  );
  // Some are described anew while games are played.
  const later = NAMES.filter(() => random.chance(0.3)).map((name) =>
    teamOf(name, began + random.below(700) * DAY + DAY),
  );
  return [...NAMES.map((name) => teamOf(name, began)), ...players, ...later];
}

const playerRef = (team: string, number: number): string => `${team}-${number}`;

/** Everything that is said of a game, each message of a subject at a time of its own. */
function told(
  fixture: Fixture,
  all: readonly Fixture[],
  plan: Plan,
  last: number,
  starts: DistinctStarts,
  random: Random,
): Message[] {
  const { ref, start, league, sides } = fixture;
  const { sport } = plan;
  const messages: Message[] = [scheduleOf(fixture, plan, start, start - 7 * DAY, random)];
  const say = (kind: string, at: number, more: object) =>
    messages.push({ kind, source: SOURCE, at: iso(at), ref, ...more });
  // Whether a box that has told of no players is a player box the specification leaves open: the first one tells.
  const sayBox = (at: number, final: boolean) => {
    const tellsPlayers = !messages.some(({ kind }) => kind === 'box') || random.chance(0.6);
    say('box', at, boxOf(fixture, sport, final, tellsPlayers, random));
  };
  if (fixture.placeholder) return messages;
  if (start > last && random.chance(0.8)) return [...messages, ...unfinished(fixture, sport, random)];

  let begins = start;
  const fate = random.below(100);
  if (fate < 4) {
    say('score', start - HOUR, { status: random.chance(0.5) ? 'cancelled' : 'postponed' });
    return messages;
  }
  if (fate < 10) {
    say('score', start - 3 * HOUR, { status: 'postponed' });
    begins = starts.take(league, sides, start + (1 + random.below(20)) * DAY);
    messages.push(scheduleOf(fixture, plan, begins, start - 2 * HOUR, random));
  }
  if (sport === 'soccer' && random.chance(0.6)) say('lineup', begins - HOUR, { teams: lineupOf(fixture, random) });
  const untold = fate < 12;
  // A level score would be a tie, and what a tie is worth in the NHL the specification leaves open.
  if (random.chance(0.4) && !(untold && sport === 'nhl')) {
    say('score', begins, { status: 'inprogress', period: '1', ...scoresOf(['0', '0']) });
    if (random.chance(0.5)) sayBox(begins + HOUR, false);
  }
  const end = endOf(fixture, begins, all, random);
  if (untold) {
    say('score', end, { status: 'final' });
    return messages;
  }
  say('score', end, { status: 'final', ...outcomeOf(fixture, sport, random) });
  if (random.chance(0.85)) sayBox(end + random.pick([0, 10, 600]) * 60_000, true);
  if (random.chance(0.12)) {
    const corrected = end + (1 + random.below(96)) * HOUR;
    // Taken back, and ended a second time: the first end stands.
    if (random.chance(0.3)) say('score', corrected - 60_000, { status: 'inprogress' });
    say('score', corrected, { status: 'final', ...outcomeOf(fixture, sport, random) });
  }
  if (random.chance(0.12)) sayBox(end + (11 + random.below(96)) * HOUR, true);
  return messages;
}

/** When the end is told: soon, or with the very start of a later game of the home side, or long after. */
function endOf({ sides, start }: Fixture, begins: number, all: readonly Fixture[], random: Random): number {
  const [next] = all
    .filter((one) => one.start > start && one.sides.includes(sides[0]))
    .map((one) => one.start)
    .sort((a, b) => a - b);
  const usual = begins + 2 * HOUR + random.below(90) * 60_000;
  if (random.chance(0.06) && next !== undefined) return Math.max(next, usual);
  return random.chance(0.05) ? usual + 5 * DAY : usual;
}

function scheduleOf(fixture: Fixture, plan: Plan, starts: number, at: number, random: Random): Message {
  const { ref, league, year, phase, sides, placeholder, isOpen } = fixture;
  const participant = (role: string, name: string, unknown?: true) =>
    unknown ? { role, name, placeholder: true } : { role, ref: name, name: `${name} ${plan.sport}` };
  return {
    kind: 'schedule',
    source: SOURCE,
    at: iso(at),
    sport: plan.sport,
    league,
    ref,
    starts_at: iso(starts),
    ...(isOpen ? { starts_at_qualifier: 'tbd' } : {}),
    participants: [participant('home', sides[0]), participant('away', sides[1], placeholder)],
    neutral_site: random.chance(0.12),
    // Without a season it is the one in which the start falls.
    ...(phase === 'preseason' || random.chance(0.9) ? { season: { year, phase } } : {}),
  };
}

function unfinished(fixture: Fixture, sport: string, random: Random): Message[] {
  const { ref, start } = fixture;
  const status = random.pick(['inprogress', 'suspended', 'postponed', 'scheduled']);
  const messages: Message[] = [];
  const say = (kind: string, at: number, more: object) =>
    messages.push({ kind, source: SOURCE, at: iso(at), ref, ...more });
  if (status !== 'scheduled') say('score', start, { status, ...scoresOf(['1', '0']) });
  if (random.chance(0.7)) say('box', start + HOUR, boxOf(fixture, sport, false, true, random));
  return messages;
}

const scoresOf = (scores: readonly [string, string], more: readonly [object, object] = [{}, {}]) => ({
  scores: (['home', 'away'] as const).map((role, index) => ({ role, score: scores[index], ...more[index] })),
});

/** A final score of the kind that the sport has. */
function outcomeOf({ knockout, phase }: Fixture, sport: string, random: Random) {
  const high = { soccer: 4, nhl: 6, mlb: 9, nfl: 40, ncaaf: 50, nba: 130, ncaab: 90 }[sport]!;
  const home = random.below(high);
  const mayDraw = sport === 'soccer' ? !knockout : ['nfl', 'mlb'].includes(sport) && phase !== 'playoffs';
  const level = random.chance(sport === 'soccer' || sport === 'nhl' ? 0.35 : 0.15);
  const away = level ? home : random.below(high) || home + 1;
  if (home !== away || mayDraw) {
    const extra = home !== away && sport !== 'soccer' && random.chance(0.1);
    return { result_type: extra && sport !== 'mlb' ? 'overtime' : 'regulation', ...scoresOf([`${home}`, `${away}`]) };
  }
  const homeWins = random.chance(0.5);
  if (!['soccer', 'nhl'].includes(sport) || random.chance(0.4)) {
    const scores = scoresOf([`${home + (homeWins ? 1 : 0)}`, `${away + (homeWins ? 0 : 1)}`]);
    return { result_type: sport === 'mlb' ? 'regulation' : 'overtime', ...scores };
  }
  // A shootout: NHL adds a goal for its winner in some sources, and in others leaves the score level.
  const period = sport === 'nhl' ? 'SO' : 'PKs';
  const goal = sport === 'nhl' && random.chance(0.5) ? 1 : 0;
  const shots = (won: boolean) => ({ period_scores: [{ period, score: won ? 4 : 3 }], is_winner: won });
  const told = scoresOf(
    [`${home + (homeWins ? goal : 0)}`, `${away + (homeWins ? 0 : goal)}`],
    [shots(homeWins), shots(!homeWins)],
  );
  return { result_type: 'shootout', ...told };
}

/** Each side's stats, of which any may be missing. */
function boxOf({ sides }: Fixture, sport: string, final: boolean, tellsPlayers: boolean, random: Random) {
  const stats = sport === 'soccer' ? SOCCER_STATS : STATS[sport]!.slice(1);
  const ofSide = () =>
    Object.fromEntries(stats.filter(() => random.chance(0.85)).map((stat) => [stat, statValue(stat, random)]));
  const roles = ['home', 'away'] as const;
  const teams = Object.fromEntries(roles.filter(() => random.chance(0.92)).map((role) => [role, ofSide()]));
  if (sport === 'soccer') return { final, teams };
  const players = roles.flatMap((role, index) =>
    [1, 2, 3].map((number) => ({
      // Nobody has described the third one.
      ref: playerRef(sides[index]!, number),
      name: `${sides[index]} Player ${number}`,
      role,
      ...(random.chance(0.5) ? { starter: random.chance(0.5) } : {}),
      ...(random.chance(0.2) ? { dnp: true } : {}),
      stats: { [stats[0]!]: statValue(stats[0]!, random), minutes: random.below(60) },
    })),
  );
  return { final, teams, ...(tellsPlayers ? { players } : {}) };
}

function statValue(stat: string, random: Random): number {
  if (stat === 'possession_pct') return random.below(1000) / 10;
  if (stat === 'pass_accuracy_pct') return random.below(10_000) / 100;
  if (stat === 'rushing_yards') return random.below(220) - 20;
  return stat === 'shots_on_target' ? random.below(4) : random.below(40);
}

function lineupOf({ sides }: Fixture, random: Random) {
  const ofSide = (team: string) => ({
    ...(random.chance(0.8) ? { formation: random.pick(['4-4-2', '4-3-3']) } : {}),
    players: [3, 1, 2, 4].map((number) => ({
      ...(random.chance(0.8) ? { ref: playerRef(team, number) } : {}),
      name: `${team} Player ${number}`,
      ...(random.chance(0.8) ? { position: random.pick(['G', 'D', 'M']) } : {}),
      ...(random.chance(0.8) ? { jersey: random.pick([number, `${number}`]) } : {}),
      ...(random.chance(0.8) ? { formation_place: `${number}` } : {}),
      starter: random.chance(0.6),
    })),
  });
  return {
    home: ofSide(sides[0]),
    ...(random.chance(0.8) ? { away: ofSide(sides[1]) } : {}),
  };
}
