import {
  marketOfferedSince,
  marketReportedAt,
  type OddsDocument,
  type TimedBookPrices,
} from '../../../projections/odds/odds.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { decimalFromAmerican, statedDecimal } from '../../domain/odds/american-odds.ts';
import type { PricedOutcome } from '../../domain/odds/bookmaker-prices.ts';
import { compareByCodePoint } from '../../domain/primitives/text-order.ts';
import type { EventSides } from '../../domain/side-profiles.ts';
import type { Bookmakers } from '../../read-models/rendering/bookmakers.ts';
import { outcomeName } from '../../read-models/rendering/render-odds.ts';
import { type OddsApiBookmaker, oddsApiBookmakerOf } from './bookmaker-keys.ts';
import type { ListedEvent } from './listed-events.ts';
import { compareMarkets, type OddsApiMarket, toOddsApiMarkets } from './market-keys.ts';
import type { BookmakerFilter, OddsApiParameters } from './query-parameters.ts';
import { renderEvent, renderTime } from './render-odds-api-events.ts';

/** How much of an event's prices is shown. */
export interface OddsDetail {
  /** Whether each bookmaker has a `last_update`, beside those of its markets. */
  readonly timesOfBooks: boolean;
  /** Whether markets have outcomes. Without outcomes, all markets of the bookmakers are listed. */
  readonly outcomes: boolean;
}

/** An event with its bookmakers. @param odds undefined if no bookmaker has ever quoted the event */
export const renderEventOdds = (
  listed: ListedEvent,
  odds: OddsDocument | undefined,
  parameters: OddsApiParameters,
  shown: OddsDetail,
  names: Bookmakers,
) => ({
  ...renderEvent(listed, parameters),
  bookmakers: odds ? renderBookmakers(odds, parameters, shown, names) : [],
});

function renderBookmakers(odds: OddsDocument, parameters: OddsApiParameters, shown: OddsDetail, names: Bookmakers) {
  const { books, dateFormat } = parameters;
  return Object.entries(odds.books)
    .map(([slug, book]) => ({ slug, book, entry: oddsApiBookmakerOf(slug, names) }))
    .filter(({ slug, entry }) => isChosen(books, slug, entry))
    .map(({ book, entry: { key, title } }) => ({
      key,
      title,
      ...(shown.timesOfBooks ? { last_update: renderTime(timeOf(book.capturedAt), dateFormat) } : {}),
      ...(shown.outcomes ? links(parameters) : {}),
      markets: renderMarkets(odds, book, parameters, shown),
    }))
    .filter(({ markets }) => markets.length > 0)
    .sort((a, b) => compareByCodePoint(a.key, b.key));
}

export const isChosen = (choice: BookmakerFilter, slug: string, { regions }: OddsApiBookmaker): boolean =>
  'slugs' in choice ? choice.slugs.has(slug) : regions.some((region) => choice.regions.has(region));

/** Members for links and source ids on request, always null: this server has none. */
const links = ({ includes }: OddsApiParameters) => ({
  ...(includes.has('includeLinks') ? { link: null } : {}),
  ...(includes.has('includeSids') ? { sid: null } : {}),
});

function renderMarkets(
  odds: OddsDocument,
  book: TimedBookPrices,
  parameters: OddsApiParameters,
  { outcomes }: OddsDetail,
) {
  const byKey = new Map<string, { at: number; readonly parts: OddsApiMarket[] }>();
  for (const [name, priced] of Object.entries(book.markets)) {
    // Of many lines one old ladder says nothing of the others.
    const at = name.endsWith('+') ? timeOf(marketReportedAt(book, name)) : marketOfferedSince(book, name);
    for (const part of toOddsApiMarkets(name, priced, odds.sport)) {
      if (outcomes && !parameters.markets.has(part.key)) continue;
      // Two of our markets may be one market of The Odds API.
      const known = byKey.get(part.key);
      if (known) known.parts.push(part);
      else byKey.set(part.key, { at, parts: [part] });
      if (known) known.at = Math.max(known.at, at);
    }
  }
  return [...byKey]
    .sort(([a], [b]) => compareMarkets(a, b))
    .map(([key, { at, parts }]) => ({
      key,
      last_update: renderTime(at, parameters.dateFormat),
      ...(outcomes ? { ...links(parameters), outcomes: renderOutcomes(odds, parts, parameters) } : {}),
    }));
}

interface RenderedOutcome {
  readonly name: string;
  readonly description?: string;
  readonly price: number;
  readonly point?: number;
}

function renderOutcomes(
  sides: EventSides,
  parts: readonly OddsApiMarket[],
  parameters: OddsApiParameters,
): RenderedOutcome[] {
  const { includes, oddsFormat } = parameters;
  const more = {
    ...links(parameters),
    ...(includes.has('includeBetLimits') ? { bet_limit: null } : {}),
    ...(includes.has('includeMultipliers') ? { multiplier: null } : {}),
  };
  const shown = parts.flatMap(({ isYesNo, hasPoints, describes, outcomes }) =>
    outcomes.map((one): RenderedOutcome => {
      const description = describes === 'team' ? one.team && outcomeName(sides, one.team) : describes && one.player;
      return {
        name: isYesNo ? answerName(one.outcome) : outcomeName(sides, one.outcome),
        ...(description === undefined ? {} : { description }),
        price: oddsFormat === 'american' ? one.price : decimalPrice(one),
        ...(hasPoints && one.point !== undefined ? { point: one.point } : {}),
        ...more,
      };
    }),
  );
  const hasSides = parts.some(({ outcomes }) =>
    outcomes.some(({ outcome }) => outcome !== 'over' && outcome !== 'under'),
  );
  return shown.sort(hasSides ? bySide : byBet);
}

const answerName = (outcome: PricedOutcome['outcome']): string => (outcome === 'over' ? 'Yes' : 'No');

/** A price in the odds that were asked for. */
export const priceIn = (format: OddsApiParameters['oddsFormat'], price: number): number =>
  format === 'american' ? price : decimalFromAmerican(price);

/**
 * The decimal price as stated by the source, if it is more precise. The value is checked, since old records of the log
 * may contain anything here.
 */
const decimalPrice = ({ price, decimal }: PricedOutcome): number =>
  statedDecimal(price, typeof decimal === 'number' ? decimal : undefined) ?? decimalFromAmerican(price);

const DRAW = 'Draw';
const bySide = (a: RenderedOutcome, b: RenderedOutcome): number =>
  Number(a.name === DRAW) - Number(b.name === DRAW) || compareByCodePoint(a.name, b.name) || byPoint(a, b);
const byBet = (a: RenderedOutcome, b: RenderedOutcome): number =>
  compareByCodePoint(a.description ?? '', b.description ?? '') || byPoint(a, b) || compareByCodePoint(a.name, b.name);
const byPoint = (a: RenderedOutcome, b: RenderedOutcome): number => (a.point ?? 0) - (b.point ?? 0);
