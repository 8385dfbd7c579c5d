import fc from 'fast-check';
import type { Message } from './known-games.ts';
import { SEASON_SPORTS, type SeasonSport, seasonsOf } from './seasons.ts';
import { tournamentsOf } from './tournaments.ts';

/** Histories of every sport, as one source tells them. */
export type HistoryKind = SeasonSport | 'tennis';
export const HISTORY_KINDS: readonly HistoryKind[] = [...SEASON_SPORTS, 'tennis'];

export const historyOf = (kind: HistoryKind, seed: number): Message[] =>
  kind === 'tennis' ? tournamentsOf(seed) : seasonsOf(kind, seed);

export const seeds = fc.nat({ max: 2 ** 31 });
