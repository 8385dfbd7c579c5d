import { findLeague } from '../../domain/catalogue/catalogue.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { asInteger, asNumber, asRecord, asRecords, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import type { AnswerContext } from './competition.ts';
import { playerMessage, teamMessage } from './directory-messages.ts';
import { injuryMessages } from './injuries.ts';
import { seasonStartYear } from './leagues.ts';

/** When a list was true: at the operator's time, or else at the time that it states, or else from the beginning of the
 *  season that it states. Undefined if it states none. */
function listTime(context: AnswerContext, stated: unknown, espnYear: unknown): string | undefined {
  if (context.at !== undefined) return context.at;
  const time = asTime(stated);
  if (time !== undefined) return formatTime(time);
  const year = asNumber(espnYear);
  const month = findLeague(context.league)?.season_starts_in;
  if (year === undefined || month === undefined) return undefined;
  return formatTime(Date.UTC(seasonStartYear(context.league, year), month - 1, 1));
}

function hasTime(context: AnswerContext, at: string | undefined): at is string {
  if (at === undefined) {
    context.notes.add(
      'no_time',
      'A list was left out: it states no time and no season (--at says when ESPN was asked).',
    );
  }
  return at !== undefined;
}

/** The teams of a league (`/teams`). */
export function* teamListMessages(answer: JsonObject, context: AnswerContext): Generator<JsonObject> {
  for (const league of asRecords(asRecords(answer['sports'])[0]?.['leagues'])) {
    const at = listTime(context, undefined, asRecord(league['season'])['year'] ?? league['year']);
    if (!hasTime(context, at)) continue;
    for (const entry of asRecords(league['teams'])) {
      const message = teamMessage(asRecord(entry['team']), { ...context, at });
      if (message) yield message;
    }
  }
}

/** Standings: teams with their conference and division. The numbers have no message type. */
export function* standingsMessages(answer: JsonObject, context: AnswerContext): Generator<JsonObject> {
  context.notes.add('standings_left_out', 'The numbers of the standings were left out: only the teams were taken.');
  yield* standingsGroup(answer, context, {});
}

function* standingsGroup(group: JsonObject, context: AnswerContext, above: JsonObject): Generator<JsonObject> {
  const standings = asRecord(group['standings']);
  const at = listTime(context, undefined, standings['season']);
  const entries = asRecords(standings['entries']);
  if (entries.length > 0 && hasTime(context, at)) {
    for (const entry of entries) {
      const message = teamMessage(asRecord(entry['team']), { ...context, at }, above);
      if (message) yield message;
    }
  }
  for (const child of asRecords(group['children'])) {
    const name = asText(child['name']);
    const rankOrGroup = child['isConference'] === true ? { conference: name } : { division: name };
    yield* standingsGroup(child, context, name ? { ...above, ...rankOrGroup } : above);
  }
}

/** A team's roster: the team, its players, and their injuries. */
export function* rosterMessages(answer: JsonObject, context: AnswerContext): Generator<JsonObject> {
  const at = listTime(context, answer['timestamp'], asRecord(answer['season'])['year']);
  if (!hasTime(context, at)) return;
  const team = asRecord(answer['team']);
  const about = { ...context, at };
  const message = teamMessage(team, about);
  if (message) yield message;
  for (const given of asRecords(answer['athletes'])) {
    // Grouped by position, or all in one list.
    for (const athlete of 'items' in given ? asRecords(given['items']) : [given]) {
      const player = playerMessage(athlete, about, asText(team['id']));
      if (!player) continue;
      yield player;
      // A league's injury list states all injuries at once, and is polled more often.
      if (context.live) continue;
      const injuries = asRecords(athlete['injuries']).map((injury) => ({ ...injury, athlete }));
      yield* injuryMessages(team, injuries, context);
    }
  }
}

/** Athletes without a team (`/players`, or the lists of rankings). */
export function* playerListMessages(
  athletes: readonly JsonObject[],
  answer: JsonObject,
  context: AnswerContext,
): Generator<JsonObject> {
  const at = listTime(context, answer['timestamp'], asRecord(answer['season'])['year']);
  if (!hasTime(context, at)) return;
  for (const athlete of athletes) {
    const message = playerMessage(athlete, { ...context, at });
    if (message) yield message;
  }
}

/** The rankings of a tour: its players with rank and points. ESPN sometimes gives several lists (singles, doubles, the
 *  race of the year); the first list of single players is the tour's own. */
export function* rankingsMessages(answer: JsonObject, context: AnswerContext): Generator<JsonObject> {
  const lists = asRecords(answer['rankings']);
  const ranking = context.sport === 'tennis' ? lists.find(ranksPlayers) : undefined;
  for (const list of lists) {
    if (list === ranking) continue;
    const name = asText(list['name']) ?? 'without a name';
    context.notes.add(
      'rankings_left_out',
      `The rankings "${name}" were left out: only the singles of a tour are taken.`,
    );
  }
  if (!ranking) return;
  const at = rankingTime(ranking, answer, context);
  if (!hasTime(context, at)) return;
  for (const rank of asRecords(ranking['ranks'])) {
    const rankOrGroup = asInteger(rank['current']);
    const points = asInteger(rank['points']);
    const player = playerMessage(asRecord(rank['athlete']), { ...context, at });
    if (!player || rankOrGroup === undefined || rankOrGroup < 1) continue;
    const known = points !== undefined && points >= 0 ? { tennis_ranking_points: points } : {};
    yield { ...player, tennis_ranking: rankOrGroup, ...known };
  }
}

const ranksPlayers = (list: JsonObject): boolean =>
  asRecords(list['ranks']).some((rank) => asText(asRecord(rank['athlete'])['id']) !== undefined);

/** The operator's time, or else the list's own. Without a time, an old file would replace a newer ranking. */
const rankingTime = (ranking: JsonObject, answer: JsonObject, context: AnswerContext): string | undefined =>
  listTime(
    context,
    ['update', 'lastUpdated', 'date'].map((name) => ranking[name]).find((time) => asTime(time) !== undefined) ??
      answer['timestamp'],
    undefined,
  );
