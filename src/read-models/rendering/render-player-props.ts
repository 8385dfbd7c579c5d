import type { OddsDocument } from '../../../projections/odds/odds.ts';
import type { EventDocument } from '../../../projections/sports-events/events.ts';
import type { DirectoryPlayer, PlayerFinder, PlayerMention } from '../../domain/directory/player-finder.ts';
import {
  boxRows,
  createRowFinder,
  findPlayerInEvent,
  lineupRows,
  type TeamIds,
  teamIdsOf,
} from '../../domain/event-players.ts';
import { isSettledResult, percentOfLine } from '../../domain/grading/line-results.ts';
import { type BoxWithStatNames, gradePlayerStat, playerStat, withStatNames } from '../../domain/grading/player-stat.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { isPropName } from '../../domain/odds/bookmaker-prices.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { compareByCodePoint } from '../../domain/primitives/text-order.ts';
import { hasPlaceholder } from '../../domain/side-profiles.ts';
import type { BoxRow, BoxScore } from '../../domain/statistics/box-score.ts';
import type { Lineup } from '../../domain/statistics/event-lineup.ts';
import type { BookmakerChoice } from './bookmakers.ts';
import type { PlayerProps } from './market-schemas.ts';
import {
  groupPricesByLine,
  marketOutcomes,
  nameLineSides,
  nameSuspects,
  type PricedLine,
  sideOfTotal,
} from './priced-lines.ts';
import { renderMarketState } from './render-event.ts';

type Item = PlayerProps['player_props'][number];

/** The box score and the lineups of an event. */
interface BoxAndLineups {
  readonly box: BoxScore | undefined;
  /** Home side first. */
  readonly lineups: readonly [Lineup | undefined, Lineup | undefined];
}

interface PropFilter {
  readonly market?: string | undefined;
  readonly player_id?: number | undefined;
  readonly books: BookmakerChoice;
}

/** A player with prices. */
export interface PricedPlayer {
  readonly id: number | null;
  /** From the directory, or else as in the latest price. */
  readonly name: string;
  readonly team: 0 | 1 | null;
  /** The player's entry in the directory. */
  readonly found: DirectoryPlayer | undefined;
}

/** All players who are named in prices, box score and lineups, to be looked up in the directory. */
export const namedPlayers = (prices: readonly PlayerPrice[], facts: BoxAndLineups): PlayerMention[] =>
  [...prices, ...boxRows(facts.box), ...lineupRows(facts.lineups)].map(({ named }) => named);

/** @param finder that knows all of `namedPlayers` */
export function renderPlayerProps(
  event: EventDocument,
  prices: readonly PlayerPrice[],
  facts: BoxAndLineups,
  finder: PlayerFinder,
  filter: PropFilter,
  includeAlts: boolean,
): PlayerProps {
  const teamIds = teamIdsOf(event.sides);
  const { players, keyOf } = groupPricesByPlayer(prices, finder, teamIds);
  const markets = new Map<string, { readonly player: PricedPlayer; readonly market: string }>();
  const rungs = prices.flatMap((price) => {
    const key = keyOf(price);
    const player = key === undefined ? undefined : players.get(key);
    if (!player || !isWanted(price, player, filter)) return [];
    const of = `${price.market} ${key}`;
    markets.set(of, { player, market: price.market });
    return [{ ...price, of }];
  });
  const box = facts.box && withStatNames(facts.box);
  const rows = createRowFinder(boxRows(facts.box), finder, teamIds);
  const lineup = createRowFinder(lineupRows(facts.lineups), finder, teamIds);
  const isShown = ({ bookmaker, isAlternate }: PlayerPrice) =>
    filter.books.includes(bookmaker) && (includeAlts || !isAlternate);
  const items = groupPricesByLine(rungs, isShown).map((line) => {
    const { player, market } = markets.get(line.of)!;
    const row = rows.findRow(player);
    const side = row?.side ?? lineup.findRow(player)?.side ?? player.team;
    return renderLine(event, box, { player, market, row: row?.row, team_id: teamIdOf(player, side, teamIds) }, line);
  });
  items.sort(
    (a, b) =>
      compareByCodePoint(a.player, b.player) ||
      compareByCodePoint(a.market, b.market) ||
      a.line - b.line ||
      (a.player_id ?? 0) - (b.player_id ?? 0),
  );
  return { ...renderMarketState(event, items.length > 0), player_props: items };
}

const isWanted = (price: PlayerPrice, player: PricedPlayer, { market, player_id }: PropFilter): boolean =>
  (market === undefined || price.market === market) && (player_id === undefined || player.id === player_id);

/**
 * Groups prices by player: by directory entry, or by name for players without an entry.
 * @param finder that knows all players who are named in the prices
 */
export function groupPricesByPlayer(prices: readonly PlayerPrice[], finder: PlayerFinder, teamIds: TeamIds) {
  const keys = new Map<PlayerPrice, string>();
  const players = new Map<string, PricedPlayer>();
  for (const price of prices) {
    const { named, team } = price;
    const found = findPlayerInEvent(finder, named, teamIds);
    if (!found && named.name === undefined) continue;
    const key = found ? `#${found.id}` : normalizeName(named.name!);
    keys.set(price, key);
    players.set(key, {
      id: found?.id ?? null,
      name: found?.full_name ?? named.name!,
      team: team ?? players.get(key)?.team ?? null,
      found,
    });
  }
  return { players, keyOf: (price: PlayerPrice) => keys.get(price) };
}

function teamIdOf({ found }: PricedPlayer, side: 0 | 1 | null, teamIds: TeamIds): number | null {
  if (side !== null) return teamIds[side];
  const teamId = found?.team_id ?? null;
  return teamIds.includes(teamId) ? teamId : null;
}

function renderLine(
  event: EventDocument,
  box: BoxWithStatNames | undefined,
  {
    player,
    market,
    row,
    team_id,
  }: { readonly player: PricedPlayer; market: string; row: BoxRow | undefined; team_id: number | null },
  priced: PricedLine,
): Item {
  const { line, books, suspects } = priced;
  const current = playerStat(event, box, row, market);
  const result = gradePlayerStat(event, box, row, current, line);
  return {
    player: player.name,
    player_id: player.id,
    team_id,
    market,
    line,
    current,
    pct_of_line: percentOfLine(current, line),
    settleable: isSettledResult(result),
    result,
    books: nameLineSides(books, 'over', 'under'),
    ...nameSuspects(suspects, 'over', 'under'),
  };
}

/** A price of a player's statistic. */
export interface PlayerPrice {
  readonly named: PlayerMention;
  /** The player's side, as the source gives it. */
  readonly team: 0 | 1 | null;
  /** Name of the statistic. */
  readonly market: string;
  readonly line: number;
  readonly bookmaker: string;
  /** 0 is over, 1 is under. */
  readonly side: 0 | 1;
  readonly price: number;
  readonly isAlternate: boolean;
  /** When its market was last named: milliseconds. */
  readonly at: number;
  /** Whether its book has named it again at a later time. */
  readonly isRepeated: boolean;
}

/** All bookmakers' prices of players, alternate ones too, ordered by capture time. */
export function playerPrices(document: OddsDocument | undefined): PlayerPrice[] {
  if (!document || hasPlaceholder(document)) return [];
  const books = Object.entries(document.books).map(([bookmaker, prices]) => ({
    bookmaker,
    prices,
    at: timeOf(prices.capturedAt),
  }));
  books.sort((a, b) => a.at - b.at || (a.bookmaker < b.bookmaker ? -1 : 1));
  return books.flatMap(({ bookmaker, prices }) => {
    const names = new Set(Object.keys(prices.markets).map((name) => name.replace(/\+$/, '')));
    return [...names].filter(isPropName).flatMap((market) =>
      marketOutcomes(prices, market).flatMap(({ outcome, ...rest }): PlayerPrice[] => {
        const { point, player, player_ref, player_source, team, price } = outcome;
        const side = sideOfTotal(outcome);
        if (side === undefined || point === undefined) return [];
        if (player === undefined && player_ref === undefined) return [];
        const named = { name: player, ref: player_ref, source: player_source };
        const teamSide = team === undefined ? null : team === 'home' ? 0 : 1;
        return [{ named, team: teamSide, market, line: point + 0, bookmaker, side, price, ...rest }];
      }),
    );
  });
}
