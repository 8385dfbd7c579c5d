import { type CsvRow, cellInteger } from '../importing/csv.ts';
import { resultAt } from '../importing/file-times.ts';
import type { ImportItem } from '../importing/importer.ts';
import type { Match } from './match.ts';

type Outcome = 'completed' | 'retired' | 'walkover' | 'unknown';

const SETS = [1, 2, 3, 4, 5] as const;

interface PlayedSet {
  readonly number: number;
  readonly W: number;
  readonly L: number;
}

/** The result of the row; a note where the row does not tell one. */
export function resultOfMatch(match: Match, row: CsvRow): ImportItem {
  const sets = playedSets(row);
  const comment = row.get('Comment');
  let outcome = outcomeOf(comment);
  if (outcome === 'unknown' && isWon(row, sets)) outcome = 'completed';
  if (outcome === 'unknown') {
    const message = `The result was left out: "${comment}" is no known comment, and the sets do not make a whole match.`;
    return { note: { code: 'result_unclear', line: row.line, message } };
  }
  const played = outcome === 'walkover' ? [] : sets;
  return {
    message: {
      kind: 'score',
      source: 'tennis-data',
      at: resultAt(match.startsAt),
      ref: match.ref,
      status: outcome === 'walkover' ? 'walkover' : 'final',
      result_type: outcome === 'completed' ? 'regulation' : outcome,
      scores: match.players.map(({ role, letter }) => ({
        role,
        ...(played.length > 0 && {
          score: played.map((set) => set[letter]).join(' '),
          period_scores: played.map((set) => ({ period: `S${set.number}`, score: set[letter] })),
        }),
        is_winner: letter === 'W',
      })),
    },
  };
}

/** By how the word begins: the files have `Walkoer` and `Retied`. A default or an award ends a match as retiring does. */
function outcomeOf(comment: string): Outcome {
  const word = comment.toLowerCase();
  if (/^com/.test(word)) return 'completed';
  if (/^(ret|aw|disq|def)/.test(word)) return 'retired';
  return /^(wal|w\/?o)/.test(word) ? 'walkover' : 'unknown';
}

/** A set of which only one side's games are known is left out. */
function playedSets(row: CsvRow): PlayedSet[] {
  const sets = [];
  for (const number of SETS) {
    const W = cellInteger(row.get(`W${number}`));
    const L = cellInteger(row.get(`L${number}`));
    if (W !== undefined && L !== undefined) sets.push({ number, W, L });
  }
  return sets;
}

/** Whether the winner has the sets of a whole match: two of three, or three of five. */
function isWon(row: CsvRow, sets: readonly PlayedSet[]): boolean {
  const needed = Math.ceil((cellInteger(row.get('Best of')) ?? 3) / 2);
  const won = sets.length > 0 ? sets.filter((set) => set.W > set.L).length : (cellInteger(row.get('Wsets')) ?? 0);
  return won >= needed;
}
