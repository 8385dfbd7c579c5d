import { asRecords, asText, type Json } from '../importing/json-file.ts';
import { lastOfEach } from '../importing/last-of-each.ts';
import type { Context, ListedGame } from './competition.ts';
import { tournamentMatches } from './tennis.ts';

/** Every game of a scoreboard; of one that it lists twice the last stands. */
export function listedGames(events: readonly Json[], context: Context): ListedGame[] {
  const games = events.flatMap((event) =>
    context.sport === 'tennis'
      ? [...tournamentMatches(event, context)]
      : asRecords(event['competitions']).map((given) => ({ given, event, context, more: {} })),
  );
  return lastOfEach(games, refOf);
}

/** ESPN's id of a game. */
export const refOf = ({ given, event }: ListedGame): string | undefined => asText(given['id']) ?? asText(event['id']);
