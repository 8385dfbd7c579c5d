import { type OddsDocument, type ToldBook, toldAt } from '../../../projections/odds.ts';
import { decimalFromAmerican, statedDecimal } from '../../domain/american-odds.ts';
import { timeOf } from '../../domain/observation.ts';
import type { PricedOutcome } from '../../domain/prices.ts';
import type { EventSides } from '../../domain/side-names.ts';
import { compareText } from '../../domain/text-order.ts';
import type { Bookmakers } from '../../read-models/rendering/bookmakers.ts';
import { outcomeName } from '../../read-models/rendering/odds.ts';
import { type BookmakerEntry, entryOf } from './bookmaker-keys.ts';
import type { Listed } from './listed-events.ts';
import { compareMarkets, type NamedMarket, namedMarkets } from './market-keys.ts';
import type { BookChoice, Parameters } from './query-parameters.ts';
import { shownEvent, shownTime } from './shown-events.ts';

/** What of an event's prices is shown. */
export interface PricesShown {
  /** Whether bookmakers have a `last_update` of their own, beside those of their markets. */
  readonly timesOfBooks: boolean;
  /** Whether markets have outcomes. Without, every market of the bookmakers is named. */
  readonly outcomes: boolean;
}

/** An event with its bookmakers. @param odds absent where nobody has ever quoted */
export const shownOdds = (
  listed: Listed,
  odds: OddsDocument | undefined,
  parameters: Parameters,
  shown: PricesShown,
  names: Bookmakers,
) => ({
  ...shownEvent(listed, parameters),
  bookmakers: odds ? shownBooks(odds, parameters, shown, names) : [],
});

function shownBooks(odds: OddsDocument, parameters: Parameters, shown: PricesShown, names: Bookmakers) {
  const { books, dateFormat } = parameters;
  return Object.entries(odds.books)
    .map(([slug, book]) => ({ slug, book, entry: entryOf(slug, names) }))
    .filter(({ slug, entry }) => isChosen(books, slug, entry))
    .map(({ book, entry: { key, title } }) => ({
      ...{ key, title },
      ...(shown.timesOfBooks ? { last_update: shownTime(timeOf(book.capturedAt), dateFormat) } : {}),
      ...(shown.outcomes ? links(parameters) : {}),
      markets: shownMarkets(odds, book, parameters, shown),
    }))
    .filter(({ markets }) => markets.length > 0)
    .sort((a, b) => compareText(a.key, b.key));
}

const isChosen = (choice: BookChoice, slug: string, { regions }: BookmakerEntry): boolean =>
  'slugs' in choice ? choice.slugs.has(slug) : regions.some((region) => choice.regions.has(region));

/** Members that bookmakers, markets and outcomes have where they are asked for; nothing is known of them here. */
const links = ({ includes }: Parameters) => ({
  ...(includes.has('includeLinks') ? { link: null } : {}),
  ...(includes.has('includeSids') ? { sid: null } : {}),
});

function shownMarkets(odds: OddsDocument, book: ToldBook, parameters: Parameters, { outcomes }: PricesShown) {
  const byKey = new Map<string, { at: number; readonly parts: NamedMarket[] }>();
  for (const [name, priced] of Object.entries(book.markets)) {
    const at = timeOf(toldAt(book, name));
    for (const part of namedMarkets(name, priced, odds.sport)) {
      if (outcomes && !parameters.markets.has(part.key)) continue;
      // Two markets here may be one there.
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
      last_update: shownTime(at, parameters.dateFormat),
      ...(outcomes ? { ...links(parameters), outcomes: shownOutcomes(odds, parts, parameters) } : {}),
    }));
}

interface ShownOutcome {
  readonly name: string;
  readonly description?: string;
  readonly price: number;
  readonly point?: number;
}

function shownOutcomes(sides: EventSides, parts: readonly NamedMarket[], parameters: Parameters): ShownOutcome[] {
  const { includes, oddsFormat } = parameters;
  const more = {
    ...links(parameters),
    ...(includes.has('includeBetLimits') ? { bet_limit: null } : {}),
    ...(includes.has('includeMultipliers') ? { multiplier: null } : {}),
  };
  const shown = parts.flatMap(({ isQuestion, hasPoints, describes, outcomes }) =>
    outcomes.map((one): ShownOutcome => {
      const description = describes === 'team' ? one.team && outcomeName(sides, one.team) : describes && one.player;
      return {
        name: isQuestion ? answerName(one.outcome) : outcomeName(sides, one.outcome),
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

/** What the source has stated, where it says more. Whoever wrote the log may have kept anything under this name. */
const decimalPrice = ({ price, decimal }: PricedOutcome): number =>
  statedDecimal(price, typeof decimal === 'number' ? decimal : undefined) ?? decimalFromAmerican(price);

const DRAW = 'Draw';
const bySide = (a: ShownOutcome, b: ShownOutcome): number =>
  Number(a.name === DRAW) - Number(b.name === DRAW) || compareText(a.name, b.name) || byPoint(a, b);
const byBet = (a: ShownOutcome, b: ShownOutcome): number =>
  compareText(a.description ?? '', b.description ?? '') || byPoint(a, b) || compareText(a.name, b.name);
const byPoint = (a: ShownOutcome, b: ShownOutcome): number => (a.point ?? 0) - (b.point ?? 0);
