import { findLeague, seasonYear } from '../../domain/catalogue/catalogue.ts';
import { rolesOf } from '../../domain/catalogue/sport-rules.ts';
import { DEMO_BOOKMAKERS } from './bookmakers/demo-bookmakers.ts';
import { quotesOf } from './bookmakers/match-quotes.ts';
import { boxScoresOf } from './boxes/box-scores.ts';
import { stepsOfGame } from './boxes/played-game.ts';
import { lineupMessagesOf, lineupsOfFixture } from './fixtures/demo-lineups.ts';
import type { Fixture } from './fixtures/fixtures.ts';
import { timelineOf } from './fixtures/game-timeline.ts';
import { opinionsOf } from './fixtures/market-opinions.ts';
import { injuriesOf, splitsOf, type UntimedMessage, venueOf } from './fixtures/pre-game-messages.ts';
import { secondaryQuotesOf } from './secondary-markets/secondary-quotes.ts';
import type { ScoreFacts } from './simulation/game-moment.ts';
import { randomFor } from './simulation/random.ts';
import { TOWNS } from './teams/invented-names.ts';

/** Converts a second of the day to milliseconds of the wall clock. */
export type WallClock = (second: number) => number;

/** The messages of one event in order. Its schedule comes first; the rest is computed lazily. */
export function* eventMessages(fixture: Fixture, seed: number, wall: WallClock): Generator<UntimedMessage> {
  const scheduled = (startsAt: number) => scheduleMessage(fixture, wall(startsAt));
  yield { second: fixture.announcedAt, message: scheduled(fixture.startsAt) };
  const timeline = timelineOf(fixture, seed);
  const { messages: injuries, absence } = injuriesOf(fixture, seed);
  const opinions = opinionsOf(fixture, timeline, seed, absence);
  const lineUps = lineupsOfFixture(fixture, absence);
  const steps = stepsOfGame(timeline.moments);
  const boxes = boxScoresOf(fixture, { steps, lineUps, seed });
  const later: UntimedMessage[] = [...injuries, ...lineupMessagesOf(fixture, lineUps, seed)];
  let lastText = '';
  for (const { second, score } of timeline.moments) {
    const text = score ? JSON.stringify(score) : lastText;
    // The clock may still show the same second: a feed sends no repeated score.
    if (score && text !== lastText)
      later.push({ second: timeline.start + second, message: scoreMessage(fixture, score) });
    lastText = text;
  }
  for (const { second, final, teams, players } of boxes) {
    const message = { kind: 'box', ref: fixture.ref, ...(final ? { final } : {}), teams, players } as const;
    later.push({ second: timeline.start + second, message });
  }
  const over = timeline.start + timeline.moments.at(-1)!.second;
  if (timeline.moved) later.push({ second: timeline.moved.at, message: scheduled(timeline.moved.startsAt) });
  later.push(...splitsOf(fixture, seed, timeline.before(0).win[0]));
  const moments = [...opinions, ...timeline.moments];
  for (const book of DEMO_BOOKMAKERS) {
    const random = randomFor(seed, fixture.ref, 'book', book.slug);
    for (const { second, markets } of quotesOf({ book, sides: rolesOf(fixture.sport), moments, random })) {
      const message = { kind: 'odds', ref: fixture.ref, bookmaker: book.slug, markets } as const;
      later.push({ second: timeline.start + second, message });
    }
    const inputs = { sport: fixture.sport, roles: rolesOf(fixture.sport), book, opinions, steps, lineUps, boxes };
    const draws = randomFor(seed, fixture.ref, 'side book', book.slug);
    for (const { second, markets } of secondaryQuotesOf({ ...inputs, expected: timeline.before(0), random: draws })) {
      const message = { kind: 'odds', ref: fixture.ref, bookmaker: book.slug, markets } as const;
      later.push({ second: timeline.start + second, message });
    }
  }
  yield* later
    .filter(({ second }) => second > fixture.announcedAt && second <= over)
    .sort((a, b) => a.second - b.second);
}

export function scoreMessage(fixture: Fixture, { sides, ...facts }: ScoreFacts): UntimedMessage['message'] {
  const roles = rolesOf(fixture.sport);
  const scores = sides?.map((side, index) => ({ role: roles[index]!, ...side }));
  return { kind: 'score', ref: fixture.ref, ...facts, ...(scores ? { scores } : {}) };
}

/** @param startsAt milliseconds */
export function scheduleMessage(fixture: Fixture, startsAt: number): UntimedMessage['message'] {
  const { ref, sport, league, sides } = fixture;
  const roles = rolesOf(fixture.sport);
  const [home] = sides;
  const year = seasonYear(findLeague(league.slug)!, startsAt);
  const place = home.town === null || league.neutral ? {} : { venue: venueOf(home.town, home.timezone!, home.country) };
  return {
    kind: 'schedule',
    sport,
    league: league.slug,
    ref,
    season: { year, phase: league.knockout ? 'playoffs' : 'regular_season' },
    // Whole seconds: schedules have no fractions.
    starts_at: new Date(Math.floor(startsAt / 1000) * 1000).toISOString(),
    participants: sides.map((side, index) => ({
      role: roles[index]!,
      ref: side.ref,
      name: side.name,
      ...(side.abbreviation === null ? {} : { abbreviation: side.abbreviation }),
      ...(side.country === null ? {} : { country_code: side.country }),
    })),
    neutral_site: league.neutral ?? false,
    broadcast: 'Simulated Sports Network',
    ...place,
    ...tournamentOf(fixture),
  };
}

const tournament = (town: string, timezone: string, surface: string, tier: string) => ({
  competition: { name: `Simulated Open of ${town}`, surface, tier },
  venue: { name: `Simulated Tennis Park of ${town}`, city: town, surface, timezone },
});
const TENNIS = {
  atp: tournament('Kestrel Bay', 'America/Los_Angeles', 'hard', 'atp_500'),
  wta: tournament('Montedoro', 'Europe/Rome', 'clay', 'wta_500'),
};

/** The tournament members of a game's schedule; none for a league's usual games. */
function tournamentOf({ league, number }: Fixture): Record<string, unknown> {
  const host = TOWNS[(number + 3) % TOWNS.length]!;
  switch (league.slug) {
    case 'atp':
    case 'wta': {
      const court = number % 2 === 0 ? 'Simulated Centre Court' : 'Simulated Court 1';
      return {
        round: 'Round of 16',
        draw_type: 'singles',
        court,
        order_of_play: 1 + Math.floor(number / 2),
        starts_at_qualifier: 'not_before',
        ...TENNIS[league.slug],
      };
    }
    case 'ucl':
      return { round: 'Simulated Quarter-final', competition: { name: 'Simulated Champions Cup' } };
    case 'fifa_world_cup':
      return {
        round: 'Simulated Semi-final',
        competition: { name: 'Simulated World Cup' },
        venue: { name: `Simulated Stadium of ${host.name}`, city: host.name, timezone: host.timezone },
      };
    default:
      return {};
  }
}
