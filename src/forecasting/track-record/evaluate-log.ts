import { SPORT_SLUGS, type SportSlug } from '../../domain/catalogue/catalogue.ts';
import { scopeOf } from '../../domain/grading/scope-scores.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { type EventEvaluation, evaluateEvent } from '../../intelligence/evaluation/evaluate-event.ts';
import type { EventFacts } from '../../intelligence/facts/event-facts.ts';
import { Forecaster } from '../../intelligence/facts/forecaster.ts';
import type { SharpWeight } from '../../intelligence/prices/sharp-books.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { type FactsQuery, readFacts, readPrices } from '../facts/log-facts.ts';

export interface EvaluationOptions extends Omit<FactsQuery, 'isWanted'> {
  /** Null: all sports. */
  readonly sport: SportSlug | null;
  /** Starts from this time on and before the other are judged: milliseconds. */
  readonly from: number;
  readonly before: number;
  readonly weightOf: SharpWeight;
  /** Whether first halves, first five innings and first sets are judged too. */
  readonly scopes?: boolean;
}

/** A settled event, and what its forecasts were worth. */
interface EvaluatedStory extends EventEvaluation {
  readonly story: EventFacts;
  /** Of the part of it that has lines of its own; none unless asked for. */
  readonly ofScope: EventEvaluation['markets'];
}

export const sportsOf = ({ sport }: Pick<EvaluationOptions, 'sport'>): readonly SportSlug[] =>
  sport === null ? SPORT_SLUGS : [sport];

/** Games are learnt so many at once before others may have the event loop. */
const GAMES_BETWEEN_BREATHS = 16;

/** Replays a log and judges what was, or would have been, forecast of each settled event, in order of start. */
export async function* evaluateLog(log: EventLog, asked: EvaluationOptions): AsyncGenerator<EvaluatedStory> {
  const { signal, weightOf } = asked;
  const { stories, rankAt } = await readFacts(log, {
    ...asked,
    isWanted: (sport) => asked.sport === null || sport === asked.sport,
  });
  const forecasters = new Map<SportSlug, Forecaster>();
  for (const sport of sportsOf(asked)) {
    const ofSport = stories.filter((story) => story.sport === sport);
    forecasters.set(sport, new Forecaster(sport, ofSport, rankAt));
    await yieldToEventLoop();
  }
  for (const story of stories.toSorted(byStart)) {
    if (story.result === null || story.startsAt < asked.from || story.startsAt >= asked.before) continue;
    signal?.throwIfAborted();
    const forecaster = forecasters.get(story.sport)!;
    while (forecaster.learn(story.league, story.closesAt, GAMES_BETWEEN_BREATHS)) await yieldToEventLoop();
    const prices = await readPrices(log, story.id, story.closesAt);
    const judging = { weightOf, pause: yieldToEventLoop };
    const ofScope = asked.scopes ? await evaluateScope(log, story, forecaster, judging) : [];
    yield { story, ...(await evaluateEvent(story, prices, forecaster, judging)), ofScope };
    await yieldToEventLoop();
  }
}

/** The same of the part of an event that has lines of its own, as if it were an event. */
async function evaluateScope(
  log: EventLog,
  story: EventFacts,
  forecaster: Forecaster,
  judging: Parameters<typeof evaluateEvent>[3],
): Promise<EventEvaluation['markets']> {
  const scope = scopeOf(story.sport);
  if (scope === undefined || story.scope === null) return [];
  const prices = await readPrices(log, story.id, story.closesAt, scope);
  const { home, away } = story.scope;
  const result = {
    score: story.scope,
    winner: home === away ? null : home > away ? ('home' as const) : ('away' as const),
  };
  const ofScope = { forecastAt: (_: EventFacts, moment: number) => forecaster.scopeAt(story, moment) };
  return (await evaluateEvent({ ...story, result }, prices, ofScope, judging)).markets;
}

/** Ids follow the order of arrival, on which nothing may depend but themselves. */
function byStart(a: EventFacts, b: EventFacts): number {
  return a.startsAt - b.startsAt || compare(a.league, b.league) || compare(a.name, b.name);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
