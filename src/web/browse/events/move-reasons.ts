import { REACTION_WINDOW } from '../../../intelligence/evaluation/market-quality.ts';
import { joinMove, type Move, STEAM_WINDOW } from '../../../read-models/change-feed/market-watch.ts';
import type { Story } from '../../live/answers/live-page-answers.ts';
import { injuryWords } from '../../live/page/view-model/status-words.ts';

/** A move of a bookmaker's main line, and what the API tells of it. */
export interface ToldMove extends Omit<Move, 'direction'> {
  /** 0: it has none. */
  readonly direction: Move['direction'] | 0;
  /** The price is far from all others, and nothing confirms it. */
  readonly isSuspect: boolean;
}

interface KnownBeside {
  readonly injuries: Story['injuries'];
  readonly nameOf: (bookmaker: string) => string;
}

/**
 * Why prices moved, in words, as far as it is known: a price that is suspect, news of a player that the book moved after,
 * steam. Nothing is said where none of these holds.
 * - News counts as in the quality of markets: for the first move of each book within half an hour of it.
 * - Steam is that of the changes: three books that move a market the same way within five minutes.
 * @param moves the oldest first
 * @returns the reasons of each move, in the order of the moves
 */
export function reasonsOf(moves: readonly ToldMove[], { injuries, nameOf }: KnownBeside): readonly string[][] {
  const reasons = moves.map(({ isSuspect }) =>
    isSuspect ? ['Far from the price of every other book, and nothing confirms it yet.'] : [],
  );
  for (const { at, player, team, status } of injuries) {
    const told = Date.parse(at);
    const reacted = new Set<string>();
    for (const [index, move] of moves.entries()) {
      if (move.isSuspect || move.at < told || reacted.has(move.bookmaker)) continue;
      reacted.add(move.bookmaker);
      if (move.at - told > REACTION_WINDOW * 1000) continue;
      reasons[index]!.push(`${minutesAfter(move.at - told)} ${player} (${team}) was reported ${injuryWords(status)}.`);
    }
  }
  let recent: readonly Move[] = [];
  const inSteam = new Set<number>();
  for (const [index, move] of moves.entries()) {
    const { market, bookmaker, direction, at, isSuspect } = move;
    if (isSuspect || direction === 0) continue;
    const next = joinMove(recent, { market, bookmaker, direction, at });
    recent = next.moves;
    if (!next.steam) continue;
    const text = `Steam: ${next.steam.map(nameOf).join(', ')} moved the same way within five minutes.`;
    for (const own of next.steam) {
      const place = moves.findLastIndex(
        (one, other) =>
          other <= index &&
          !one.isSuspect &&
          one.bookmaker === own &&
          one.market === market &&
          one.direction === direction,
      );
      if (inSteam.has(place) || move.at - moves[place]!.at > STEAM_WINDOW) continue;
      inSteam.add(place);
      reasons[place]!.push(text);
    }
  }
  return reasons;
}

/** `4 minutes after` */
function minutesAfter(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes === 0) return 'Within a minute after';
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} after`;
}
