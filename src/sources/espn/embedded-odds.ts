import { formatTime, parseTime } from '../../domain/time.ts';
import { closingAt } from '../importing/file-times.ts';
import { asRecord, type Json } from '../importing/json-file.ts';
import type { Competition, Context } from './competition.ts';
import { isLiveProvider, oddsMessages, providerSlug } from './odds.ts';
import { stateTime } from './score.ts';

const BEFORE_PLAY = ['scheduled', 'delayed', 'postponed'];

/** Odds embedded in an answer; a provider that stands in it twice counts once. */
export function* embeddedOdds(competition: Competition, items: readonly Json[], context: Context): Generator<Json> {
  const { ref, status } = competition;
  const asked = context.at === undefined ? undefined : (parseTime(context.at) ?? undefined);
  const startsAt = context.live ? undefined : competition.startsAt;
  const before = startsAt === undefined || (asked !== undefined && asked < startsAt);
  const latest = before ? formatTime(asked!) : closingAt(startsAt);
  const times = { ref, startsAt, latest, live: stateTime(competition, context), opening: !context.live };
  // What a book took bets at before the start stays in the answers of a game in play: it is no price of then.
  const closed = context.live && status !== undefined && !BEFORE_PLAY.includes(status.status);
  const seen = new Set<string | undefined>();
  for (const item of items) {
    const provider = providerSlug(asRecord(item['provider']));
    if (seen.has(provider)) continue;
    seen.add(provider);
    if (closed && !isLiveProvider(provider)) {
      context.notes.add('closed_prices', 'Prices from before the start were left out: the game has begun.');
    } else yield* oddsMessages(item, times, context.notes);
  }
}
