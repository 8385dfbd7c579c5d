import { findLeague, seasonYear } from '../../domain/catalogue.ts';
import { rolesOf } from '../../domain/sides.ts';
import { injuriesOf, splitsOf, type Untimed, venueOf } from './before-start.ts';
import { DEMO_BOOKMAKERS } from './books/bookmakers.ts';
import { quotesOf } from './books/quotes.ts';
import { stepsOf } from './boxes/course.ts';
import { boxesOf } from './boxes/event-boxes.ts';
import { lineUpsOf } from './boxes/line-up.ts';
import type { Fixture } from './fixture.ts';
import { lineupsOf } from './lineup-messages.ts';
import type { ScoreFacts } from './moment.ts';
import { opinionsOf } from './opinions.ts';
import { randomFor } from './random.ts';
import { sideQuotesOf } from './side-markets/side-quotes.ts';
import { timelineOf } from './timeline.ts';
import { tournamentOf } from './tournaments.ts';

/** Milliseconds of a second of the day, on the wall's clock. */
export type WallClock = (second: number) => number;

/** The messages of one event in order. Its schedule comes first; all else is worked out when it is asked for. */
export function* eventMessages(fixture: Fixture, seed: number, wall: WallClock): Generator<Untimed> {
  const scheduled = (startsAt: number) => scheduleMessage(fixture, wall(startsAt));
  yield { second: fixture.announcedAt, message: scheduled(fixture.startsAt) };
  const timeline = timelineOf(fixture, seed);
  const { messages: injuries, absence } = injuriesOf(fixture, seed);
  const opinions = opinionsOf(fixture, timeline, seed, absence);
  const lineUps = lineUpsOf(fixture, absence);
  const steps = stepsOf(timeline.moments);
  const boxes = boxesOf(fixture, { steps, lineUps, seed });
  const later: Untimed[] = [...injuries, ...lineupsOf(fixture, lineUps, seed)];
  let told = '';
  for (const { second, score } of timeline.moments) {
    const text = score ? JSON.stringify(score) : told;
    // A clock that still shows the same second: a feed does not say things twice.
    if (score && text !== told) later.push({ second: timeline.start + second, message: scoreMessage(fixture, score) });
    told = text;
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
    const watching = { sport: fixture.sport, roles: rolesOf(fixture.sport), book, opinions, steps, lineUps, boxes };
    const draws = randomFor(seed, fixture.ref, 'side book', book.slug);
    for (const { second, markets } of sideQuotesOf({ ...watching, expected: timeline.before(0), random: draws })) {
      const message = { kind: 'odds', ref: fixture.ref, bookmaker: book.slug, markets } as const;
      later.push({ second: timeline.start + second, message });
    }
  }
  yield* later
    .filter(({ second }) => second > fixture.announcedAt && second <= over)
    .sort((a, b) => a.second - b.second);
}

function scoreMessage(fixture: Fixture, { sides, ...facts }: ScoreFacts): Untimed['message'] {
  const roles = rolesOf(fixture.sport);
  const scores = sides?.map((side, index) => ({ role: roles[index]!, ...side }));
  return { kind: 'score', ref: fixture.ref, ...facts, ...(scores ? { scores } : {}) };
}

/** @param startsAt milliseconds */
function scheduleMessage(fixture: Fixture, startsAt: number): Untimed['message'] {
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
    // Whole seconds: a programme names no fractions.
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
