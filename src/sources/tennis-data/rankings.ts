import { assumedClosingTime } from '../parsing/assumed-times.ts';
import { type CsvRow, cellInteger } from '../parsing/csv.ts';
import type { Match, Player } from './match-messages.ts';

type RankingsOfMatch = (match: Match, row: CsvRow) => Record<string, unknown>[];

/**
 * The rankings that the rows of one file tell, as `player` messages. A row has those of the beginning of its
 * tournament, and all rows of a tournament have the same, so that the first of them is enough. What is certain is that
 * they stood before the match: they count from the second before its start, and a file of an earlier year overwrites
 * none of a later one.
 */
export function createRankingReader(): RankingsOfMatch {
  const told = new Map<string, string>();
  return (match, row) =>
    match.players.flatMap((player) => {
      const ranking = rankingOf(player, row);
      if (!ranking) return [];
      const fact = JSON.stringify([row.get('Tournament'), ranking]);
      if (told.get(player.ref) === fact) return [];
      told.set(player.ref, fact);
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

/** Place and points; undefined for who has no place (`NR`, `N/A`). */
function rankingOf({ letter }: Player, row: CsvRow): Record<string, number> | undefined {
  const place = cellInteger(row.get(`${letter}Rank`));
  const points = cellInteger(row.get(`${letter}Pts`));
  if (place === undefined || place < 1) return undefined;
  return { tennis_ranking: place, ...(points !== undefined && points >= 0 ? { tennis_ranking_points: points } : {}) };
}
