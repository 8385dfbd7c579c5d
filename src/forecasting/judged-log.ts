import { SPORT_SLUGS, type SportSlug } from '../domain/catalogue.ts';
import { scopeOf } from '../domain/grading/scope.ts';
import type { EventLog } from '../event-log/event-log.ts';
import type { EventStory } from '../intelligence/facts/event-story.ts';
import { Forecaster } from '../intelligence/facts/forecaster.ts';
import { type JudgedEvent, judgeEvent } from '../intelligence/judging/judged-games.ts';
import type { ReferenceWeight } from '../intelligence/prices/books.ts';
import { breathe } from '../platform/time/breathe.ts';
import { type FactsAsked, readFacts, readPrices } from './log-facts.ts';

export interface Judging extends Omit<FactsAsked, 'isAsked'> {
  /** Null: all sports. */
  readonly sport: SportSlug | null;
  /** Starts from this time on and before the other are judged: milliseconds. */
  readonly from: number;
  readonly before: number;
  readonly weightOf: ReferenceWeight;
  /** Whether first halves, first five innings and first sets are judged too. */
  readonly scopes?: boolean;
}

/** A settled event, and what its forecasts were worth. */
export interface JudgedStory extends JudgedEvent {
  readonly story: EventStory;
  /** Of the part of it that has lines of its own; none unless asked for. */
  readonly ofScope: JudgedEvent['games'];
}

export const sportsOf = ({ sport }: Pick<Judging, 'sport'>): readonly SportSlug[] =>
  sport === null ? SPORT_SLUGS : [sport];

/** Games are learnt so many at once before others may have the event loop. */
const TOGETHER = 16;

/** Replays a log and judges what was, or would have been, forecast of each settled event, in order of start. */
export async function* judgeLog(log: EventLog, asked: Judging): AsyncGenerator<JudgedStory> {
  const { signal, weightOf } = asked;
  const { stories, rankAt } = await readFacts(log, {
    ...asked,
    isAsked: (sport) => asked.sport === null || sport === asked.sport,
  });
  const forecasters = new Map<SportSlug, Forecaster>();
  for (const sport of sportsOf(asked)) {
    const ofSport = stories.filter((story) => story.sport === sport);
    forecasters.set(sport, new Forecaster(sport, ofSport, rankAt));
    await breathe();
  }
  for (const story of stories.toSorted(byStart)) {
    if (story.result === null || story.startsAt < asked.from || story.startsAt >= asked.before) continue;
    signal?.throwIfAborted();
    const forecaster = forecasters.get(story.sport)!;
    while (forecaster.learn(story.league, story.closesAt, TOGETHER)) await breathe();
    const prices = await readPrices(log, story.id, story.closesAt);
    const judging = { weightOf, pause: breathe };
    const ofScope = asked.scopes ? await judgeScope(log, story, forecaster, judging) : [];
    yield { story, ...(await judgeEvent(story, prices, forecaster, judging)), ofScope };
    await breathe();
  }
}

/** The same of the part of an event that has lines of its own, as if it were an event. */
async function judgeScope(
  log: EventLog,
  story: EventStory,
  forecaster: Forecaster,
  judging: Parameters<typeof judgeEvent>[3],
): Promise<JudgedEvent['games']> {
  const scope = scopeOf(story.sport);
  if (scope === undefined || story.scope === null) return [];
  const prices = await readPrices(log, story.id, story.closesAt, scope);
  const { home, away } = story.scope;
  const result = {
    score: story.scope,
    winner: home === away ? null : home > away ? ('home' as const) : ('away' as const),
  };
  const ofScope = { forecastAt: (_: EventStory, moment: number) => forecaster.scopeAt(story, moment) };
  return (await judgeEvent({ ...story, result }, prices, ofScope, judging)).games;
}

/** Ids follow the order of arrival, on which nothing may depend but themselves. */
function byStart(a: EventStory, b: EventStory): number {
  return a.startsAt - b.startsAt || compare(a.league, b.league) || compare(a.name, b.name);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
