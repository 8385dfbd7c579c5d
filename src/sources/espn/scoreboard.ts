import { asRecord, asRecords, asText, type JsonObject } from '../parsing/json-values.ts';
import { keepLastOfEach } from '../provider-base/answer-items.ts';
import type { AnswerContext, ListedGame } from './competition.ts';

/** All games of a scoreboard; of a game that is listed twice, the last entry counts. */
export function listedGames(events: readonly JsonObject[], context: AnswerContext): ListedGame[] {
  const games = events.flatMap((event) =>
    context.sport === 'tennis'
      ? [...tournamentMatches(event, context)]
      : asRecords(event['competitions']).map((given) => ({ given, event, context, more: {} })),
  );
  return keepLastOfEach(games, refOf);
}

/** ESPN's id of a game. */
export const refOf = ({ given, event }: ListedGame): string | undefined => asText(given['id']) ?? asText(event['id']);

/** Draws by ESPN's slug. At combined tournaments, the scoreboard of one tour also lists the other tour's matches. */
const DRAW = /^(mens|womens)-(singles|doubles)$/;

/** The matches of a tournament. A match belongs to the tour of its draw, whichever scoreboard lists it. */
function* tournamentMatches(event: JsonObject, context: AnswerContext): Generator<ListedGame> {
  const groups = asRecords(event['groupings']);
  const draws =
    groups.length > 0
      ? groups.map((group) => ({
          slug: asText(asRecord(group['grouping'])['slug']),
          matches: asRecords(group['competitions']),
        }))
      : [{ slug: undefined, matches: asRecords(event['competitions']) }];
  for (const { slug, matches } of draws) {
    for (const match of matches) {
      const listed = listedMatch(match, slug, event, context);
      if (listed) yield listed;
    }
  }
}

function listedMatch(
  match: JsonObject,
  group: string | undefined,
  event: JsonObject,
  context: AnswerContext,
): ListedGame | undefined {
  const slug = asText(asRecord(match['type'])['slug']) ?? group ?? '';
  const draw = DRAW.exec(slug);
  if (!draw) {
    context.notes.add('unsupported_draw', `A match of the draw "${slug}" was left out: it belongs to neither tour.`);
    return undefined;
  }
  const name = asText(event['name']);
  const more = {
    // ESPN states which tournaments are majors, and no tier of the others.
    competition: name && { name, ...(event['major'] === true ? { tier: 'grand_slam' } : {}) },
    court: asText(asRecord(match['venue'])['court']),
    draw_type: draw[2],
  };
  return { given: match, event, context: { ...context, league: draw[1] === 'mens' ? 'atp' : 'wta' }, more };
}
