import { createHash } from 'node:crypto';
import {
  EventBets,
  type EventBetsOptions,
  type ForecastsOverTime,
  type SavedBets,
} from '../../../intelligence/event-bets.ts';
import type { PriceFold, PriceFoldKind } from '../../../intelligence/prices/price-fold.ts';
import type { PriceUpdate } from '../../../intelligence/prices/quote-board.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';

export interface BetsFoldOptions extends EventBetsOptions {
  /** Differs whenever the weights of the bookmakers differ. */
  readonly weightsVersion: string;
  readonly forecasts: (ForecastsOverTime & { readonly version: string }) | null;
}

/** What a forecast was made from, from a moment on: milliseconds. */
interface ForecastMark {
  readonly at: number;
  readonly mark: string;
}

interface SavedBetsFold {
  readonly bets: SavedBets;
  readonly marks: readonly ForecastMark[];
}

/** The bets of an event, with what the forecasts said on the way: other forecasts make other bets. */
export class BetsFold implements PriceFold {
  readonly bets: EventBets;
  readonly #marks: readonly ForecastMark[];
  readonly #forecasts: ForecastsOverTime | null;

  constructor(bets: EventBets, marks: readonly ForecastMark[], forecasts: ForecastsOverTime | null) {
    this.bets = bets;
    this.#marks = marks;
    this.#forecasts = forecasts;
  }

  get newestMoment(): number {
    return this.bets.newestMoment;
  }

  apply(update: PriceUpdate): void {
    this.bets.apply(update);
  }

  save(): SavedBetsFold | undefined {
    if (this.#forecasts?.isInterrupted) return undefined;
    return { bets: this.bets.save(), marks: marksUntil(this.#marks, this.bets.newestMoment) };
  }
}

export function betsFoldKind({ weightsVersion, forecasts, ...options }: BetsFoldOptions): PriceFoldKind<BetsFold> {
  const all = { ...options, forecasts };
  // Without forecasts, while they are learned for instance, the bets are others.
  const named = `bets ${options.closesAt} ${forecasts ? 'forecast' : 'priced'} ${hashOf(options.publications ?? null)}`;
  let marking: Promise<readonly ForecastMark[]> | undefined;
  const marks = () => {
    marking ??= marksOf(forecasts, options.closesAt);
    return marking;
  };
  return {
    // Blends are no part of what is stored: they are made from it.
    name: `${named} ${weightsVersion} ${forecasts?.version} ${options.blends?.version}`,
    stored: { name: named, version: `4 ${weightsVersion}` },
    begin: async () => new BetsFold(new EventBets(all), await marks(), forecasts),
    async restore(saved: SavedBetsFold) {
      const own = await marks();
      if (hashOf(saved.marks) !== hashOf(marksUntil(own, saved.bets.now))) return undefined;
      return new BetsFold(new EventBets(all, saved.bets), own, forecasts);
    },
  };
}

/** A forecast stays as it is between the moments at which its inputs change. */
async function marksOf(forecasts: ForecastsOverTime | null, closesAt: number): Promise<readonly ForecastMark[]> {
  if (!forecasts) return [];
  const moments = forecasts.moments();
  const marks = [{ at: Number.NEGATIVE_INFINITY, mark: markBefore(forecasts, moments[0] ?? closesAt) }];
  for (const at of moments) {
    marks.push({ at, mark: markBefore(forecasts, at + 1) });
    await yieldToEventLoop();
  }
  return marks;
}

function markBefore(forecasts: ForecastsOverTime, moment: number): string {
  const found = forecasts.before(moment);
  if (!found) return 'none';
  const { forecast, model, memory, fixture, resultsKnown } = found;
  return hashOf([model.version, forecast, memory, fixture, resultsKnown]);
}

const marksUntil = (marks: readonly ForecastMark[], moment: number): readonly ForecastMark[] =>
  marks.filter(({ at }) => at <= moment);

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
