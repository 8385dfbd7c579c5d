import {
  boolean,
  isPlainObject,
  list,
  type Member,
  number,
  object,
  oneOf,
  orJson,
  type PositionalCodec,
  tuple,
} from './positional-codec.ts';

// Stored records depend on the members of these lists and on their order. Never change, move or add a member.
export const OUTCOMES = ['home', 'away', 'draw', 'over', 'under', 'player_1', 'player_2'];
export const MARKETS = ['h2h', 'spreads', 'totals', 'team_totals'];
export const SIDES = ['bids', 'asks'] as const;

const levels = list(tuple(number, number));
const anyChange = list(
  orJson(
    object([
      { name: 'key', of: oneOf(...MARKETS) },
      { name: 'scope', of: oneOf('match', '1H', 'F5', 'S1'), usual: 'match' },
      { name: 'alternate', of: boolean, usual: false },
      {
        name: 'outcomes',
        of: list(
          orJson(
            object([
              { name: 'outcome', of: oneOf(...OUTCOMES) },
              { name: 'point', of: number, optional: true },
              { name: 'bids', of: levels, optional: true },
              { name: 'asks', of: levels, optional: true },
              { name: 'last', of: number, optional: true },
              { name: 'volume', of: number, optional: true },
              { name: 'open_interest', of: number, optional: true },
            ]),
          ),
        ),
      },
    ]),
  ),
);

interface LevelsOfOutcome {
  outcome: string;
  bids?: number[][];
  asks?: number[][];
}
interface LevelsOfMarket {
  key: string;
  scope: string;
  alternate: boolean;
  outcomes: LevelsOfOutcome[];
}

/**
 * Changed levels of main lines without points, which are nearly all changes: three numbers a level, of which the first
 * says which side of which outcome of which market. The row begins with how many there are; 0: anything else follows.
 */
const depthChanges: PositionalCodec = {
  encode(value, row) {
    const changed = levelsIn(value);
    if (changed && changed.length > 0 && JSON.stringify(marketsOf(changed)) === JSON.stringify(value)) {
      row.values.push(changed.length, ...changed.flat());
      return true;
    }
    row.values.push(0);
    return anyChange.encode(value, row);
  },
  decode(row) {
    const count = row.values[row.at++] as number;
    if (count === 0) return anyChange.decode(row);
    const changed = row.values.slice(row.at, row.at + 3 * count) as number[];
    row.at += 3 * count;
    return marketsOf(Array.from({ length: count }, (_, index) => changed.slice(3 * index, 3 * index + 3)));
  },
};

/** `[place, price, size]` of each level; undefined where something else has changed too. */
function levelsIn(value: unknown): number[][] | undefined {
  if (!Array.isArray(value)) return undefined;
  const found: number[][] = [];
  for (const market of value) {
    const marketIndex = isPlainObject(market) ? MARKETS.indexOf(market['key'] as string) : -1;
    const outcomes = marketIndex < 0 ? undefined : market.outcomes;
    if (!Array.isArray(outcomes)) return undefined;
    for (const one of outcomes) {
      const outcomeIndex = isPlainObject(one) ? OUTCOMES.indexOf(one['outcome'] as string) : -1;
      if (outcomeIndex < 0) return undefined;
      for (const [sideIndex, side] of SIDES.entries()) {
        const place = sideIndex + SIDES.length * (outcomeIndex + OUTCOMES.length * marketIndex);
        for (const level of Array.isArray(one[side]) ? one[side] : []) {
          if (!Array.isArray(level) || level.length !== 2 || !level.every(Number.isFinite)) return undefined;
          found.push([place, level[0], level[1]]);
        }
      }
    }
  }
  return found;
}

function marketsOf(changed: readonly (readonly number[])[]): LevelsOfMarket[] {
  const markets: LevelsOfMarket[] = [];
  for (const [place, price, size] of changed) {
    const side = SIDES[place! % SIDES.length]!;
    const outcome = OUTCOMES[Math.floor(place! / SIDES.length) % OUTCOMES.length]!;
    const key = MARKETS[Math.floor(place! / SIDES.length / OUTCOMES.length)]!;
    if (markets.at(-1)?.key !== key) markets.push({ key, scope: 'match', alternate: false, outcomes: [] });
    const { outcomes } = markets.at(-1)!;
    if (outcomes.at(-1)?.outcome !== outcome) outcomes.push({ outcome });
    const one = outcomes.at(-1)!;
    one[side] = [...(one[side] ?? []), [price!, size!]];
  }
  return markets;
}

/** What has changed of the order books of a venue. */
export const depth: Member = { name: 'depth', of: depthChanges, optional: true };

export const VENUES = ['kalshi', 'polymarket', 'betfair', 'smarkets', 'matchbook', 'novig', 'prophetx', 'sporttrade'];
/** Names that nearly all records with order books have; others are stored as they are. */
export const venueName = oneOf(...VENUES);
export const sportName = oneOf('nfl', 'nba', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'soccer', 'tennis');
export const LEAGUES: readonly (readonly [sport: string, league: string])[] = [
  ['nfl', 'nfl'],
  ['nba', 'nba'],
  ['mlb', 'mlb'],
  ['nhl', 'nhl'],
  ['ncaaf', 'ncaaf'],
  ['ncaab', 'ncaab'],
  ['soccer', 'epl'],
  ['soccer', 'la_liga'],
  ['soccer', 'serie_a'],
  ['soccer', 'bundesliga'],
  ['soccer', 'ligue_1'],
  ['soccer', 'mls'],
  ['soccer', 'ucl'],
  ['tennis', 'atp'],
  ['tennis', 'wta'],
];
export const leagueName = oneOf(...LEAGUES.map(([, league]) => league));
