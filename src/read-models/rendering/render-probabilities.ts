import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { gameRulesOf } from '../../domain/catalogue/game-rules.ts';
import { isSoccer, isTennis, rolesOf } from '../../domain/catalogue/sport-rules.ts';
import { pointsInPeriod, pointsOf, sumIfComplete } from '../../domain/grading/side-points.ts';
import { hasPlayBegun } from '../../domain/sports-events/event-results.ts';
import { isOver } from '../../domain/sports-events/sports-event.ts';
import { setsOf } from '../../domain/sports-events/tennis-sets.ts';
import { settledResultOf } from '../../intelligence/facts/settled-result.ts';
import { marketProbabilities, winningOutcome } from '../../intelligence/forecasts/market-forecast.ts';
import type { ModelForecast } from '../../intelligence/forecasts/model-forecast.ts';
import { type Forecast, twoWay } from '../../intelligence/models/model.ts';
import { forecastInPlay } from '../../intelligence/play/in-play-forecast.ts';
import { estimateTimeLeft } from '../../intelligence/play/leader-chance.ts';
import { matchInPlay } from '../../intelligence/play/match-in-play.ts';
import { outcomesOf, type QuotedMarket } from '../../intelligence/prices/quotes.ts';
import { roundProbabilities } from '../../intelligence/prices/rounding.ts';
import type { WinProbability } from './event-schemas.ts';
import type { EventProbabilities, PLAY_OUTCOMES } from './probabilities-schema.ts';

type OutcomeName = (typeof PLAY_OUTCOMES)[number];

/** Home's point and the total, where they are known. */
interface MainLines {
  readonly spread: number | null;
  readonly total: number | null;
}

/** @param forecast null: none is known from before the start */
export function renderProbabilities(
  document: EventDocument,
  forecast: ModelForecast | null,
  lines: MainLines,
  asOf: string | null,
): EventProbabilities {
  const now = nowOf(document, forecast);
  const rows = (market: QuotedMarket, line: number | null) => {
    const pregame = forecast && marketProbabilities(forecast.forecast, market, line);
    const current = now(market, line, pregame);
    return outcomesOf(market, isSoccer(document.sport)).map((side, i) => ({
      outcome: outcomeName(document.sport, side),
      pregame: pregame?.[i] ?? null,
      now: current?.[i] ?? null,
    }));
  };
  const atLine = (market: QuotedMarket, line: number | null) =>
    line === null || forecast === null ? null : { line, outcomes: rows(market, line) };
  return {
    event_id: document.id,
    available: forecast !== null,
    status: document.event.status,
    as_of: asOf,
    outcomes: rows('h2h', null),
    spread: atLine('spreads', lines.spread),
    total: atLine('totals', lines.total),
    model_version: forecast?.model.version ?? null,
  };
}

/** The moneyline's `now` alone, as streams of scores show it; null if unknown. */
export function renderWinProbability(document: EventDocument, forecast: ModelForecast | null): WinProbability | null {
  const pregame = forecast && marketProbabilities(forecast.forecast, 'h2h', null);
  const now = nowOf(document, forecast)('h2h', null, pregame);
  if (now === null) return null;
  const [home, away, draw] = now as [number, number, number?];
  return draw === undefined ? { home, away } : { home, away, draw };
}

function outcomeName(sport: string, side: ReturnType<typeof outcomesOf>[number]): OutcomeName {
  return side === 'home' || side === 'away' ? rolesOf(sport)[side === 'home' ? 0 : 1] : side;
}

type Now = (market: QuotedMarket, line: number | null, pregame: readonly number[] | null) => readonly number[] | null;

/** The probabilities by the event's present state, in the order of `outcomesOf`. */
function nowOf(document: EventDocument, forecast: ModelForecast | null): Now {
  const { sport, event } = document;
  if (forecast === null) return () => null;
  if (event.status === 'postponed' || event.status === 'cancelled' || event.status === 'walkover') return () => null;
  if (isOver(event.status)) {
    const result = settledResultOf(document);
    return (market, line) => {
      const won = result && winningOutcome(sport, market, line, result);
      return won === null ? null : outcomesOf(market, isSoccer(sport)).map((_, i) => (i === won ? 1 : 0));
    };
  }
  if (!hasPlayBegun(event.status)) return (_, __, pregame) => pregame;
  if (isTennis(sport)) {
    const home = matchInPlay(forecast.forecast.home, forecast.fixture.bestOf ?? 3, setsOf(document) ?? []);
    const { home: one, away: two } = twoWay(home);
    return (market) => (market === 'h2h' ? roundProbabilities([one, two]) : null);
  }
  const current = teamsInPlay(document, forecast.forecast);
  return (market, line) => current && marketProbabilities(current, market, line);
}

const EXTRA_TIME = /^(ET1|ET2|PKs)$/;

function teamsInPlay(document: EventDocument, before: Forecast): Forecast | null {
  const { sport, event } = document;
  const { overtimeCounts, periods } = gameRulesOf(document);
  // Markets are settled by regular time.
  const isExtra = !overtimeCounts && EXTRA_TIME.test(event.period ?? '');
  const timeLeft = isExtra ? 0 : estimateTimeLeft(document, event.period, event.clock);
  const [home, away] = ([0, 1] as const).map((index) =>
    isExtra
      ? sumIfComplete(periods.map((period) => pointsInPeriod(event.sides[index], period)))
      : (pointsOf(document, index) ?? 0),
  );
  if (timeLeft === null || home === null || home === undefined || away === null || away === undefined) return null;
  return forecastInPlay(sport, before, { score: { home, away }, timeLeft });
}
