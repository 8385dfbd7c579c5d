import { asRecord, asRecords, asText, type Json } from '../importing/json-file.ts';
import type { Context, ListedGame } from './competition.ts';

/** Draws by ESPN's slug. The scoreboard of one tour lists the other's matches too, at tournaments of both. */
const DRAW = /^(mens|womens)-(singles|doubles)$/;

/** The matches of a tournament. A match belongs to the tour of its draw, whichever scoreboard lists it. */
export function* tournamentMatches(event: Json, context: Context): Generator<ListedGame> {
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

function listedMatch(match: Json, group: string | undefined, event: Json, context: Context): ListedGame | undefined {
  const slug = asText(asRecord(match['type'])['slug']) ?? group ?? '';
  const draw = DRAW.exec(slug);
  if (!draw) {
    context.notes.add('unsupported_draw', `A match of the draw "${slug}" was left out: it belongs to neither tour.`);
    return undefined;
  }
  const name = asText(event['name']);
  const more = {
    // ESPN says which tournaments are majors, and nothing of the tier of the others.
    competition: name && { name, ...(event['major'] === true ? { tier: 'grand_slam' } : {}) },
    court: asText(asRecord(match['venue'])['court']),
    draw_type: draw[2],
  };
  return { given: match, event, context: { ...context, league: draw[1] === 'mens' ? 'atp' : 'wta' }, more };
}
