import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { americanFromDecimal } from '../../domain/odds/american-odds.ts';
import { formatTime, parseTime, SECOND } from '../../domain/primitives/time.ts';
import type { ImportNotes } from '../importing/import-notes.ts';
import { assumedClosingTime, assumedOpeningTime } from '../parsing/assumed-times.ts';
import { asNumber, asRecord, asText, type JsonObject } from '../parsing/json-values.ts';
import { moneylineMarket } from '../parsing/moneyline.ts';
import type { AnswerContext, Competition } from './competition.ts';
import { americanPrice, fractionalPrice, handicap, quotedPrice, totalLine } from './price-formats.ts';
import { stateTime } from './score.ts';

/** Providers by id, for answers without names. */
const PROVIDERS: Readonly<Record<string, string>> = {
  '36': 'unibet',
  '47': 'mgm',
  '48': 'pointsbet',
  '58': 'espn_bet',
  '59': 'espn_bet_live',
  '1001': 'accuscore',
  '1002': 'teamrankings',
  '1004': 'consensus',
  '2000': 'bet365',
};

/** The provider's slug: `ESPN BET - Live Odds` is `espn_bet_live`, separate from the prices before the start. */
export function providerSlug(provider: JsonObject): string | undefined {
  const name = asText(provider['name']);
  const id = asText(provider['id']);
  if (name === undefined) return id && (PROVIDERS[id] ?? `espn_${id.replace(/\D/g, '')}`);
  const live = /\blive\b/i.test(name);
  const words = name.replace(/\s*-?\s*\blive( odds)?\b/i, '').toLowerCase();
  const slug = words.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '');
  return `${slug === 'bet_365' ? 'bet365' : slug}${live ? '_live' : ''}`.slice(0, 40);
}

/** The times of one event's prices. */
interface OddsTimes {
  readonly ref: string;
  /** Undefined: the answer does not say. */
  readonly sport: SportSlug | undefined;
  /** Milliseconds; undefined if unknown. */
  readonly startsAt: number | undefined;
  /** When the latest prices before the start were read, and when those in play were. */
  readonly latest: string;
  readonly live: string;
  /** Whether to report opening prices. A live poller has reported them already, or does not know their time. */
  readonly opening?: boolean;
}

/** Some providers have a second entry for prices in play. */
const isLiveProvider = (slug: string | undefined): boolean => slug?.endsWith('_live') ?? false;

/** The messages of one provider's odds: the opening prices, if the start gives their time, and the latest prices. */
export function* oddsMessages(item: JsonObject, times: OddsTimes, notes: ImportNotes): Generator<JsonObject> {
  const bookmaker = providerSlug(asRecord(item['provider']));
  if (!bookmaker) {
    notes.add('unknown_provider', 'Odds without a provider were left out.');
    return;
  }
  const message = { kind: 'odds', source: 'espn', ref: times.ref, bookmaker };
  const live = isLiveProvider(bookmaker);
  const at = live ? times.live : times.latest;
  // Live odds repeat the opening prices of the book before the start.
  const opening = live || times.opening === false ? [] : marketsOf(item, 'open', times.sport, notes);
  if (opening.length > 0 && times.startsAt === undefined) {
    notes.add(
      'start_unknown',
      'Opening prices were left out: without the start of the event nothing tells their time.',
    );
  } else if (opening.length > 0) {
    // If ESPN was asked earlier than a day before the start, the opening prices existed already.
    const before = parseTime(at)! - SECOND;
    const opened = parseTime(assumedOpeningTime(times.startsAt!))!;
    yield { ...message, at: formatTime(Math.min(opened, before)), markets: opening };
  }
  const markets = marketsOf(item, 'latest', times.sport, notes);
  if (markets.length > 0) yield { ...message, at, markets };
}

type Moment = 'open' | 'latest';

function marketsOf(item: JsonObject, moment: Moment, sport: SportSlug | undefined, notes: ImportNotes): JsonObject[] {
  if ('bettingOdds' in item) {
    return moment === 'open' ? [] : bettingOddsMarkets(asRecord(item['bettingOdds']), sport, notes);
  }
  const market = (key: string, outcomes: readonly (JsonObject | undefined)[]): JsonObject[] => {
    const priced = outcomes.filter((outcome) => outcome !== undefined);
    return priced.length > 0 ? [{ key, outcomes: priced }] : [];
  };
  const spread = spreadOf(item, moment);
  if (spread === 'inconsistent') {
    notes.add('inconsistent_line', 'A spread was left out: the lines of its sides do not mirror each other.');
  }
  return [
    ...wholeMoneyline(
      (['home', 'away', 'draw'] as const).flatMap((side) => {
        const price = moneyline(item, side, moment);
        return price === undefined ? [] : [{ outcome: side, price }];
      }),
      sport,
      notes,
    ),
    ...market('spreads', spread === 'inconsistent' ? [] : spread),
    ...market('totals', totalOf(item, moment)),
  ];
}

const priced = (outcome: string, price: number | undefined, point?: number): JsonObject | undefined =>
  price === undefined ? undefined : point === undefined ? { outcome, price } : { outcome, price, point };

/** The part of an object with the prices of a moment. `close` is sometimes wrong, so `current` comes first. */
function quoteAt(given: JsonObject, moment: Moment): JsonObject {
  if (moment === 'open') return asRecord(given['open']);
  const current = asRecord(given['current']);
  return Object.keys(current).length > 0 ? current : asRecord(given['close']);
}

function moneyline(item: JsonObject, side: 'home' | 'away' | 'draw', moment: Moment): number | undefined {
  const newer = quotedPrice(quoteAt(asRecord(asRecord(item['moneyline'])[side]), moment));
  if (newer !== undefined) return newer;
  const odds = asRecord(item[side === 'draw' ? 'drawOdds' : `${side}TeamOdds`]);
  const quoted = quotedPrice(quoteAt(odds, moment)['moneyLine']);
  if (quoted !== undefined || moment === 'open') return quoted;
  // One bookmaker's form has a decimal `value` and the same price as a fraction.
  return (
    americanPrice(odds['moneyLine']) ??
    fractionalPrice(odds['summary']) ??
    americanFromDecimal(asNumber(odds['value']) ?? 0)
  );
}

function spreadOf(item: JsonObject, moment: Moment): (JsonObject | undefined)[] | 'inconsistent' {
  const [home, away] = (['home', 'away'] as const).map((side) => {
    const newer = quoteAt(asRecord(asRecord(item['pointSpread'])[side]), moment);
    const odds = asRecord(item[`${side}TeamOdds`]);
    const quote = quoteAt(odds, moment);
    const stated = moment === 'latest' ? handicap(item['spread']) : undefined;
    return {
      // In a team's odds `spread` is the price and `pointSpread` the line.
      price:
        quotedPrice(newer) ??
        quotedPrice(quote['spread']) ??
        (moment === 'latest' ? americanPrice(odds['spreadOdds']) : undefined),
      line:
        handicap(newer['line']) ??
        handicap(asRecord(quote['pointSpread'])['american']) ??
        (stated === undefined ? undefined : side === 'home' ? stated : 0 - stated),
    };
  });
  if (home!.line === undefined || away!.line === undefined) return [];
  if (home!.line + away!.line !== 0) return (home!.price ?? away!.price) ? 'inconsistent' : [];
  return [priced('home', home!.price, home!.line), priced('away', away!.price, away!.line)];
}

function totalOf(item: JsonObject, moment: Moment): (JsonObject | undefined)[] {
  return (['over', 'under'] as const).map((side) => {
    const newer = quoteAt(asRecord(asRecord(item['total'])[side]), moment);
    const quote = quoteAt(item, moment);
    const latest = moment === 'latest';
    const price =
      quotedPrice(newer) ?? quotedPrice(quote[side]) ?? (latest ? americanPrice(item[`${side}Odds`]) : undefined);
    const line =
      totalLine(newer['line']) ??
      totalLine(asRecord(quote['total'])['american']) ??
      (latest ? totalLine(item['overUnder']) : undefined);
    return line === undefined ? undefined : priced(side, price, line);
  });
}

interface PricedOutcome {
  readonly outcome: string;
  readonly price: number;
  readonly point?: number;
}

function wholeMoneyline(
  outcomes: readonly PricedOutcome[],
  sport: SportSlug | undefined,
  notes: ImportNotes,
): JsonObject[] {
  const market = moneylineMarket(sport, outcomes, notes);
  return market ? [{ ...market }] : [];
}

/** The markets of the form `bettingOdds.teamOdds`: names such as `preMatchMoneyLineAway`, fractional prices, and lines
 *  under `...Handicap...`. */
function bettingOddsMarkets(given: JsonObject, sport: SportSlug | undefined, notes: ImportNotes): JsonObject[] {
  const odds = asRecord(given['teamOdds']);
  const value = (name: string): unknown => asRecord(odds[`preMatch${name}`])['value'];
  const market = (key: string, outcomes: readonly PricedOutcome[]): JsonObject[] =>
    outcomes.length > 0 ? [{ key, outcomes }] : [];
  const priced = (outcome: string, name: string, point?: number): PricedOutcome[] => {
    const price = fractionalPrice(value(name));
    if (price === undefined) return [];
    return [point === undefined ? { outcome, price } : { outcome, price, point }];
  };
  const [home, away] = [handicap(value('SpreadHandicapHome')), handicap(value('SpreadHandicapAway'))];
  const mirrored = home !== undefined && away !== undefined && home + away === 0;
  if (home !== undefined && away !== undefined && !mirrored) {
    notes.add('inconsistent_line', 'A spread was left out: the lines of its sides do not mirror each other.');
  }
  const total = totalLine(value('TotalHandicap'));
  return [
    ...wholeMoneyline(
      [...priced('home', 'MoneyLineHome'), ...priced('away', 'MoneyLineAway'), ...priced('draw', 'MoneyLineDraw')],
      sport,
      notes,
    ),
    ...market(
      'spreads',
      mirrored ? [...priced('home', 'SpreadHome', home), ...priced('away', 'SpreadAway', away)] : [],
    ),
    ...market(
      'totals',
      total === undefined ? [] : [...priced('over', 'TotalOver', total), ...priced('under', 'TotalUnder', total)],
    ),
  ];
}

const BEFORE_PLAY = ['scheduled', 'delayed', 'postponed'];

/** The odds embedded in an answer; a repeated provider counts once. */
export function* embeddedOddsMessages(
  competition: Competition,
  items: readonly JsonObject[],
  context: AnswerContext,
): Generator<JsonObject> {
  const { ref, status } = competition;
  const requestedAt = context.at === undefined ? undefined : (parseTime(context.at) ?? undefined);
  const startsAt = context.live ? undefined : competition.startsAt;
  const before = startsAt === undefined || (requestedAt !== undefined && requestedAt < startsAt);
  const latest = before ? formatTime(requestedAt!) : assumedClosingTime(startsAt);
  const { sport } = context;
  const times = { ref, sport, startsAt, latest, live: stateTime(competition, context), opening: !context.live };
  // Prices from before the start stay in the answers of a game in play; they are no prices of that time.
  const closed = context.live && status !== undefined && !BEFORE_PLAY.includes(status.status);
  const seenBookmakers = new Set<string | undefined>();
  for (const item of items) {
    const provider = providerSlug(asRecord(item['provider']));
    if (seenBookmakers.has(provider)) continue;
    seenBookmakers.add(provider);
    if (closed && !isLiveProvider(provider)) {
      context.notes.add('closed_prices', 'Prices from before the start were left out: the game has begun.');
    } else yield* oddsMessages(item, times, context.notes);
  }
}
