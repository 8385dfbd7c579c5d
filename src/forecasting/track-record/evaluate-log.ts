import { ascending } from 'd3-array';
import { SPORT_SLUGS, type SportSlug } from '../../domain/catalogue/catalogue.ts';
import { scopeOf } from '../../domain/grading/leg-scope.ts';
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
  /** Evaluates the events that start in [from, before): milliseconds. */
  readonly from: number;
  readonly before: number;
  readonly weightOf: SharpWeight;
  /** Whether first halves, first five innings and first sets are evaluated too. */
  readonly scopes?: boolean;
  /** Ids of parts of the models that are left out. */
  readonly without?: readonly string[];
}

/** A settled event with the evaluation of its forecasts. */
interface EvaluatedStory extends EventEvaluation {
  readonly story: EventFacts;
  /** For the part of the event that has lines of its own; empty unless `scopes` is set. */
  readonly ofScope: EventEvaluation['markets'];
}

export const sportsOf = ({ sport }: Pick<EvaluationOptions, 'sport'>): readonly SportSlug[] =>
  sport === null ? SPORT_SLUGS : [sport];

/** The number of games that are learned before the event loop gets a turn. */
const GAMES_PER_TURN = 16;

/** Replays a log and evaluates the forecasts of each settled event, in order of start. */
export async function* evaluateLog(log: EventLog, options: EvaluationOptions): AsyncGenerator<EvaluatedStory> {
  const { signal, weightOf } = options;
  const { stories, rankAt } = await readFacts(log, {
    ...options,
    isWanted: (sport) => options.sport === null || sport === options.sport,
  });
  const forecasters = new Map<SportSlug, Forecaster>();
  for (const sport of sportsOf(options)) {
    const ofSport = stories.filter((story) => story.sport === sport);
    forecasters.set(sport, new Forecaster(sport, ofSport, rankAt, options.without));
    await yieldToEventLoop();
  }
  for (const story of stories.toSorted(byStart)) {
    if (story.result === null || story.startsAt < options.from || story.startsAt >= options.before) continue;
    signal?.throwIfAborted();
    const forecaster = forecasters.get(story.sport)!;
    while (forecaster.learn(story.league, story.closesAt, GAMES_PER_TURN)) await yieldToEventLoop();
    const prices = await readPrices(log, story.id, story.closesAt);
    const evaluation = { weightOf, pause: yieldToEventLoop };
    const ofScope = options.scopes ? await evaluateScope(log, story, forecaster, evaluation) : [];
    yield { story, ...(await evaluateEvent(story, prices, forecaster, evaluation)), ofScope };
    await yieldToEventLoop();
  }
}

/** Evaluates the part of an event that has lines of its own, as if it were an event. */
async function evaluateScope(
  log: EventLog,
  story: EventFacts,
  forecaster: Forecaster,
  evaluation: Parameters<typeof evaluateEvent>[3],
): Promise<EventEvaluation['markets']> {
  const scope = scopeOf(story);
  if (scope === undefined || story.scope === null) return [];
  const prices = await readPrices(log, story.id, story.closesAt, scope);
  const { home, away } = story.scope;
  const result = {
    score: story.scope,
    winner: home === away ? null : home > away ? ('home' as const) : ('away' as const),
  };
  const ofScope = { forecastAt: (_: EventFacts, moment: number) => forecaster.scopeAt(story, moment) };
  return (await evaluateEvent({ ...story, result }, prices, ofScope, evaluation)).markets;
}

/** Not by id: ids follow the order of arrival, on which no result may depend. */
function byStart(a: EventFacts, b: EventFacts): number {
  return a.startsAt - b.startsAt || ascending(a.league, b.league) || ascending(a.name, b.name);
}
