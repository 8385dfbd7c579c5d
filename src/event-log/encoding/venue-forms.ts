import { LEAGUES, MARKETS, OUTCOMES, SIDES, VENUES } from './ladder-forms.ts';
import { isPlainObject, type PositionalCodec, time } from './positional-codec.ts';

// Stored records depend on the lists of `ladder-forms.ts` and on these numbers. Never change one.

/** The step of the league in the head. A venue or league of another name is spelt after it. */
const LEAGUE = 16;
/** Of the shape of a market: one bit for each outcome, then the place of its key, then one for each of these. */
const KEY = 1 << OUTCOMES.length;
const ALTERNATE = KEY * MARKETS.length;
const WITH_POINTS = 2 * ALTERNATE;
/** Of a level: hundredths of its price, and the step of its side. */
const CENTS = 100;

interface Kind {
  /** Of a repetition of the same prices, which does not have them. */
  readonly isAgain: boolean;
}
interface Bet {
  readonly outcome: string;
  readonly point?: number;
}
type Level = readonly [price: number, size: number];
interface Change extends Bet {
  bids?: Level[];
  asks?: Level[];
}

/**
 * A record of one market of a venue in which nothing but levels of its ladders has changed, and the prices that follow
 * from them, as nearly all are: the head, the time, the ref, the revision that a repetition is of, the shape of the market
 * with its line and prices, and each level: its place and price in one number, then its size; a level that is gone is a
 * negative number alone. A change of a ladder may cost 120 bytes with all that a row of the log takes. All other records
 * are refused: they stay in a form that earlier servers read.
 */
export const ofOneMarket = (kind: Kind): PositionalCodec => ({
  encode(value, { values, id }) {
    const packed = packedRecord(value, kind);
    if (!packed || JSON.stringify(unpacked(packed, { ...kind, id })) !== JSON.stringify(value)) return false;
    for (const one of packed) values.push(one);
    return true;
  },
  decode: ({ values, id }) => unpacked(values, { ...kind, id }),
});

interface PlacedMarket {
  readonly key: string;
  readonly alternate: boolean;
  readonly outcomes: readonly (Bet & { readonly price?: number; readonly bids?: unknown; readonly asks?: unknown })[];
}

/** Undefined: it cannot be packed. What this does not look at, the comparison of what comes back does. */
function packedRecord(value: unknown, { isAgain }: Kind): unknown[] | undefined {
  if (!isPlainObject(value)) return undefined;
  const { at, source, of, content, sport, league, origin, depth } = value;
  const changed = onlyMarketOf(depth);
  const market = isAgain ? changed : isPlainObject(content) ? onlyMarketOf(content['markets']) : undefined;
  if (!changed || !market || !isPlainObject(origin) || (isAgain && !Number.isFinite(of))) return undefined;
  if (![source, sport, league, origin['ref']].every((name) => typeof name === 'string')) return undefined;
  if (!isKnown(changed) || !isKnown(market)) return undefined;
  const [venue, place] = [
    VENUES.indexOf(source as string),
    LEAGUES.findIndex((known) => isLeague(known, sport, league)),
  ];
  const head = (venue < 0 ? VENUES.length : venue) + LEAGUE * (place < 0 ? LEAGUES.length : place);
  const values: unknown[] = [head, ...(venue < 0 ? [source] : []), ...(place < 0 ? [sport, league] : [])];
  if (!time.encode(at, { values, id: 0 })) return undefined;
  values.push(origin['ref'], ...(isAgain ? [of] : []));
  const hasPoints = market.outcomes[0]?.point !== undefined;
  let shape = KEY * MARKETS.indexOf(market.key) + (market.alternate ? ALTERNATE : 0) + (hasPoints ? WITH_POINTS : 0);
  const figures: unknown[] = hasPoints ? [market.outcomes[0]!.point] : [];
  for (const { outcome, price } of market.outcomes) {
    shape += 1 << OUTCOMES.indexOf(outcome);
    if (!isAgain) figures.push(price);
  }
  const row = [...values, shape, ...figures];
  for (const level of changed.outcomes.flatMap(levelsOf)) row.push(level);
  return row.slice(values.length).every(Number.isFinite) ? row : undefined;
}

/** Each outcome once, in the order of `OUTCOMES`: one bit stands for it. */
const isKnown = ({ key, outcomes }: PlacedMarket): boolean =>
  MARKETS.includes(key) &&
  outcomes.every(({ outcome }, index) => {
    const place = OUTCOMES.indexOf(outcome);
    return place > (index === 0 ? -1 : OUTCOMES.indexOf(outcomes[index - 1]!.outcome));
  });

const isLeague = (known: (typeof LEAGUES)[number], sport: unknown, league: unknown): boolean =>
  known[0] === sport && known[1] === league;

function onlyMarketOf(markets: unknown): PlacedMarket | undefined {
  const market = Array.isArray(markets) && markets.length === 1 ? markets[0] : undefined;
  const isMarket =
    isPlainObject(market) && Array.isArray(market['outcomes']) && market['outcomes'].every(isPlainObject);
  return isMarket ? (market as unknown as PlacedMarket) : undefined;
}

/** The changed levels of an outcome; NaN where they are none. */
function levelsOf(one: PlacedMarket['outcomes'][number]): number[] {
  return SIDES.flatMap((side, index) => {
    const place = CENTS * (index + SIDES.length * OUTCOMES.indexOf(one.outcome));
    const changed = one[side] ?? [];
    if (!Array.isArray(changed)) return Number.NaN;
    return changed.flatMap((level) => {
      const [price, size] = (Array.isArray(level) ? level : []) as unknown[];
      const tick = typeof price === 'number' ? Math.round(price * CENTS * CENTS) : Number.NaN;
      if (!(tick > 0 && tick < CENTS * CENTS)) return Number.NaN;
      const packed = place + tick / CENTS;
      return size === 0 ? -packed : [packed, size as number];
    });
  });
}

/** Of any row of numbers it makes something: `encode` compares that. It is the whole row that it takes. */
function unpacked(values: readonly unknown[], { id, isAgain }: Kind & { readonly id: number }): unknown {
  const row = { values, id, at: 0 };
  const next = <Value>(): Value => values[row.at++] as Value;
  const head = next<number>();
  const source = VENUES[head % LEAGUE] ?? next<string>();
  const [sport, league] = LEAGUES[Math.floor(head / LEAGUE)] ?? [next<string>(), next<string>()];
  const at = time.decode(row);
  const origin = { ref: next<string>() };
  const of = isAgain ? next<number>() : undefined;
  const shape = next<number>();
  const place = {
    key: MARKETS[Math.floor(shape / KEY) % MARKETS.length]!,
    scope: 'match',
    alternate: (shape & ALTERNATE) !== 0,
  };
  const names = OUTCOMES.filter((_, index) => shape & (1 << index));
  const line = shape & WITH_POINTS ? next<number>() : undefined;
  /** Both sides of a total have the same line; of a spread the second has the opposite one. */
  const pointOf = (name: string) => {
    if (line === undefined) return {};
    return { point: name === names[0] || name === 'under' ? line : 0 - line };
  };
  const outcomes = names.map((outcome) => ({
    outcome,
    ...(isAgain ? {} : { price: next<number>() }),
    ...pointOf(outcome),
  }));
  const changed: Change[] = [];
  while (row.at < values.length) {
    const packed = next<number>();
    const step = Math.floor(Math.abs(packed) / CENTS);
    const outcome = OUTCOMES[Math.floor(step / SIDES.length)]!;
    if (changed.length === 0 || changed.at(-1)!.outcome !== outcome) changed.push({ outcome, ...pointOf(outcome) });
    const one = changed.at(-1)!;
    const side = SIDES[step % SIDES.length]!;
    const price = Math.round((Math.abs(packed) - step * CENTS) * CENTS) / (CENTS * CENTS);
    one[side] ??= [];
    one[side].push([price, packed < 0 ? 0 : next<number>()]);
  }
  const depth = [{ ...place, outcomes: changed }];
  const identity = { eventId: id, sport, league, origin, depth };
  if (isAgain) return { at, source, of, bookmaker: source, ...identity };
  return { at, source, content: { bookmaker: source, markets: [{ ...place, complete: true, outcomes }] }, ...identity };
}
