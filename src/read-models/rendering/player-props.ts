import type { EventDocument } from '../../../projections/events.ts';
import type { Box, BoxRow } from '../../domain/box.ts';
import { createRowFinder, findInEvent, type TeamIds, teamIdsOf } from '../../domain/event-players.ts';
import { boxRows, lineupRows } from '../../domain/event-rows.ts';
import type { FoundPlayer, NamedPlayer, PlayerFinder } from '../../domain/finding-players.ts';
import { pctOfLine } from '../../domain/grading/comparison.ts';
import { type GradedBox, gradedBox, gradePlayerStat, playerStat } from '../../domain/grading/player-stat.ts';
import { isSettling } from '../../domain/grading/team-total.ts';
import type { Lineup } from '../../domain/lineup.ts';
import { normalizeName } from '../../domain/names.ts';
import { compareText } from '../../domain/text-order.ts';
import type { BookmakerChoice } from './bookmakers.ts';
import type { PlayerProps } from './market-schemas.ts';
import { marketState } from './market-state.ts';
import type { PlayerPrice } from './player-prices.ts';
import { namedBooks, type PricedLine, pricedLines } from './priced-lines.ts';

type Item = PlayerProps['player_props'][number];

/** What is known of who plays in an event, and how. */
export interface PlayerFacts {
  readonly box: Box | undefined;
  /** Of home and of the other side. */
  readonly lineups: readonly [Lineup | undefined, Lineup | undefined];
}

export interface PropFilter {
  readonly market?: string | undefined;
  readonly player_id?: number | undefined;
  readonly books: BookmakerChoice;
}

/** One on whom there are prices. */
export interface PricedPlayer {
  readonly id: number | null;
  /** Of the directory, else as last given. */
  readonly name: string;
  readonly team: 0 | 1 | null;
  /** As the directory has him. */
  readonly found: FoundPlayer | undefined;
}

/** Everybody who is named, for whoever looks them up. */
export const namedPlayers = (prices: readonly PlayerPrice[], facts: PlayerFacts): NamedPlayer[] =>
  [...prices, ...boxRows(facts.box), ...lineupRows(facts.lineups)].map(({ named }) => named);

/** @param finder that knows all of `namedPlayers` */
export function renderPlayerProps(
  event: EventDocument,
  prices: readonly PlayerPrice[],
  facts: PlayerFacts,
  finder: PlayerFinder,
  filter: PropFilter,
): PlayerProps {
  const teamIds = teamIdsOf(event.sides);
  const { players, keyOf } = pricedPlayers(prices, finder, teamIds);
  const markets = new Map<string, { readonly player: PricedPlayer; readonly market: string }>();
  const rungs = prices.flatMap((price) => {
    const key = keyOf(price);
    const player = key === undefined ? undefined : players.get(key);
    if (!player || !isWanted(price, player, filter)) return [];
    const of = `${price.market} ${key}`;
    markets.set(of, { player, market: price.market });
    return [{ ...price, of }];
  });
  const box = facts.box && gradedBox(facts.box);
  const rows = createRowFinder(boxRows(facts.box), finder, teamIds);
  const lineup = createRowFinder(lineupRows(facts.lineups), finder, teamIds);
  const items = pricedLines(rungs).map((line) => {
    const { player, market } = markets.get(line.of)!;
    const row = rows.of(player);
    const side = row?.side ?? lineup.of(player)?.side ?? player.team;
    return renderLine(event, box, { player, market, row: row?.row, team_id: teamIdOf(player, side, teamIds) }, line);
  });
  items.sort(
    (a, b) =>
      compareText(a.player, b.player) ||
      compareText(a.market, b.market) ||
      a.line - b.line ||
      (a.player_id ?? 0) - (b.player_id ?? 0),
  );
  return { ...marketState(event, items.length > 0), player_props: items };
}

const isWanted = (price: PlayerPrice, player: PricedPlayer, { market, player_id, books }: PropFilter): boolean =>
  (market === undefined || price.market === market) &&
  (player_id === undefined || player.id === player_id) &&
  books.includes(price.bookmaker);

/**
 * Prices of one entry of the directory are one player; of who has none, those of one name.
 * @param finder that knows all whom the prices name
 */
export function pricedPlayers(prices: readonly PlayerPrice[], finder: PlayerFinder, teamIds: TeamIds) {
  const keys = new Map<PlayerPrice, string>();
  const players = new Map<string, PricedPlayer>();
  for (const price of prices) {
    const { named, team } = price;
    const found = findInEvent(finder, named, teamIds);
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
  box: GradedBox | undefined,
  {
    player,
    market,
    row,
    team_id,
  }: { readonly player: PricedPlayer; market: string; row: BoxRow | undefined; team_id: number | null },
  { line, books }: PricedLine,
): Item {
  const current = playerStat(event, box, row, market);
  const result = gradePlayerStat(event, box, row, current, line);
  return {
    player: player.name,
    player_id: player.id,
    team_id,
    market,
    line,
    current,
    pct_of_line: pctOfLine(current, line),
    settleable: isSettling(result),
    result,
    books: namedBooks(books, 'over', 'under'),
  };
}
