import { assumedClosingTime } from '../parsing/assumed-times.ts';
import { type CsvRow, cellInteger } from '../parsing/csv.ts';
import type { Match, Player } from './match-messages.ts';

type RankingsOfMatch = (match: Match, row: CsvRow) => Record<string, unknown>[];

/**
 * The rankings in the rows of one file, as `player` messages. A row has the rankings at the beginning of its
 * tournament, which are the same in all rows of the tournament, so the first row is enough. They were certainly valid
 * before the match: their time is the second before its start, and a file of an earlier year does not replace a later
 * ranking.
 */
export function createRankingReader(): RankingsOfMatch {
  const published = new Map<string, string>();
  return (match, row) =>
    match.players.flatMap((player) => {
      const ranking = rankingOf(player, row);
      if (!ranking) return [];
      const fact = JSON.stringify([row.get('Tournament'), ranking]);
      if (published.get(player.ref) === fact) return [];
      published.set(player.ref, fact);
      return [
        {
          kind: 'player',
          source: 'tennis-data',
          at: assumedClosingTime(match.startsAt),
          sport: 'tennis',
          league: match.tour,
          ref: player.ref,
          full_name: player.name,
          ...ranking,
        },
      ];
    });
}

/** Rank and points; undefined for a player without a rank (`NR`, `N/A`). */
function rankingOf({ letter }: Player, row: CsvRow): Record<string, number> | undefined {
  const rank = cellInteger(row.get(`${letter}Rank`));
  const points = cellInteger(row.get(`${letter}Pts`));
  if (rank === undefined || rank < 1) return undefined;
  return { tennis_ranking: rank, ...(points !== undefined && points >= 0 ? { tennis_ranking_points: points } : {}) };
}
