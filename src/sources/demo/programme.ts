import { sidesOf, sportOf } from './cast/sides.ts';
import type { Fixture } from './fixture.ts';
import { type Fate, type LeagueProgramme, PROGRAMME } from './leagues.ts';
import { type Random, randomFor } from './random.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** A simulated day, in seconds. The next one begins when it is over. */
export const DAY_SECONDS = 24 * HOUR;
/** The first games start this long after the day has begun; each is announced a while before. */
const LEAD_SECONDS = 6 * HOUR;
/** How much of the first day has passed when somebody looks for the first time: of every sport something is over by
 *  then, something is played, and something is to come. */
export const FIRST_VIEW_SECONDS = 11 * HOUR;
/** How much of the game that is played at the first look is over by then: not the same for every sport, and past the
 *  middle, where most games have their break. */
const PLAYED_THEN = [0.58, 0.76] as const;

/** The games of a day by start. @param seed of the run */
export function programmeOf(seed: number, day: number, refPrefix: string): Fixture[] {
  const sports = new Map<string, LeagueProgramme[]>();
  for (const league of PROGRAMME) {
    const sport = sportOf(league.slug);
    sports.set(sport, [...(sports.get(sport) ?? []), league]);
  }
  return [...sports.values()]
    .flatMap((leagues) => gamesOfSport(leagues, seed, day, refPrefix))
    .sort((a, b) => a.startsAt - b.startsAt || (a.ref < b.ref ? -1 : 1));
}

function gamesOfSport(leagues: readonly LeagueProgramme[], seed: number, day: number, refPrefix: string): Fixture[] {
  const sport = sportOf(leagues[0]!.slug);
  const random = randomFor(seed, day, 'programme', sport);
  const count = leagues.reduce((sum, { games }) => sum + games, 0);
  const spacing = DAY_SECONDS / count;
  const playedThen = randomFor(seed, 'first view', sport).between(...PLAYED_THEN);
  const atFirstView = FIRST_VIEW_SECONDS - playedThen * leagues[0]!.minutes * MINUTE;
  const shown = Math.floor((atFirstView - LEAD_SECONDS) / spacing);
  const cards = cardsFor(leagues, shown, count, random);
  const games = new Map<string, number>();
  return cards.map(({ league, fate }, slot) => {
    const number = games.get(league.slug) ?? 0;
    games.set(league.slug, number + 1);
    const jitter = slot === shown ? 0 : random.between(-0.08, 0.08) * spacing;
    const startsAt = Math.round((atFirstView + (slot - shown) * spacing + jitter) / MINUTE) * MINUTE;
    return {
      ref: `${refPrefix}-${day}-${league.slug}-${number + 1}`,
      sport,
      league,
      startsAt,
      announcedAt: startsAt - random.between(4.6, 5.9) * HOUR,
      sides: pairing(league, seed, day * league.games + number),
      fate,
      number,
    };
  });
}

interface Card {
  readonly league: LeagueProgramme;
  readonly fate: Fate;
}

/** Which league plays in each slot, and what befalls the game. Around the first look everything goes as planned. */
function cardsFor(leagues: readonly LeagueProgramme[], shown: number, count: number, random: Random): Card[] {
  const slots: (Card | undefined)[] = new Array(count).fill(undefined);
  const isKept = (slot: number) => slot >= shown - 2 && slot <= shown + 1;
  const free = random.shuffled(slots.map((_, slot) => slot).filter((slot) => !isKept(slot)));
  const plain: Card[] = [];
  for (const league of leagues) {
    const fates = league.fates.slice(0, league.games);
    for (const fate of fates) slots[free.pop()!] = { league, fate };
    for (let rest = fates.length; rest < league.games; rest++) plain.push({ league, fate: 'plain' });
  }
  const left = random.shuffled(plain);
  return slots.map((card) => card ?? left.pop()!);
}

/**
 * Everybody meets everybody, round by round, by the circle method; who has just played is not paired again at once.
 * @param game counts the games of the league from the first day on
 */
function pairing({ slug }: LeagueProgramme, seed: number, game: number): Fixture['sides'] {
  const order = randomFor(seed, 'pairings', slug).shuffled(sidesOf(slug));
  const half = order.length / 2;
  const [round, table] = [Math.floor(game / half), game % half];
  const others = order.length - 1;
  const seat = (place: number) => (place === 0 ? order[0]! : order[1 + ((place - 1 + round) % others)]!);
  const sides = [seat(table), seat(others - table)] as const;
  return round % 2 === 0 ? sides : [sides[1], sides[0]];
}
