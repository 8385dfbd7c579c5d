import { formatTime, parseTime } from '../../domain/time.ts';
import { closingAt } from '../file-times.ts';
import { asRecord, asRecords, asText, type Json } from '../json-file.ts';
import { boxOf } from './box.ts';
import { type Competition, type Context, readCompetition, roleOf } from './competition.ts';
import { teamMessage } from './directory.ts';
import { injuryGroups } from './injuries.ts';
import { lineupOf, rosterRows } from './lineups.ts';
import { oddsMessages, providerSlug } from './odds.ts';
import { scheduleOf, scheduleTime } from './schedule.ts';
import { scoreOf, stateTime } from './score.ts';
import { tournamentMessages } from './tennis.ts';

/** Every event of a scoreboard; `named` holds the teams that the answer has named already. */
export function* scoreboardMessages(events: readonly Json[], context: Context): Generator<Json> {
  const named = new Set<string>();
  for (const event of events) {
    if (context.sport === 'tennis') {
      yield* tournamentMessages(event, context);
      continue;
    }
    for (const given of asRecords(event['competitions'])) {
      const competition = readCompetition(given, event, context);
      if (!competition) continue;
      yield* teamsOf(competition, [], context, named);
      yield scheduleOf(competition, context);
      const score = scoreOf(competition, context);
      if (score) yield score;
      const lineup = lineupOf(competition, [], context);
      if (lineup) yield lineup;
      yield* oddsOf(competition, asRecords(given['odds']), context);
    }
  }
}

/** The summary of one game: its header, its box score, and the injuries and odds that stand beside them. */
export function* summaryMessages(summary: Json, context: Context): Generator<Json> {
  const header = asRecord(summary['header']);
  const given = asRecords(header['competitions'])[0];
  if (!given) return;
  const venue = given['venue'] ?? asRecord(summary['gameInfo'])['venue'];
  const event = { ...header, notes: undefined };
  const competition = readCompetition({ ...given, venue }, event, context);
  if (!competition) return;
  const boxscore = asRecord(summary['boxscore']);
  yield* teamsOf(competition, asRecords(boxscore['teams']), context, new Set());
  yield scheduleOf(competition, context);
  const score = scoreOf(competition, context);
  if (score) yield score;
  const begun = ['inprogress', 'suspended', 'final'].includes(competition.status?.status ?? '');
  const final = competition.status?.status === 'final';
  const rows = context.sport === 'soccer' ? rosterRows(summary, competition, final) : [];
  const box = begun ? boxOf(boxscore, context.sport, (ref) => roleOf(competition, ref), rows) : undefined;
  if (box) {
    yield { kind: 'box', source: 'espn', at: stateTime(competition, context), ref: competition.ref, final, ...box };
  }
  const lineup = lineupOf(competition, asRecords(summary['rosters']), context);
  if (lineup) yield lineup;
  yield* injuryGroups(asRecords(summary['injuries']), context);
  yield* oddsOf(competition, [...asRecords(summary['pickcenter']), ...asRecords(summary['odds'])], context);
}

/** The teams of a game, each once an answer. The header of a summary says less of them than its box score. */
function* teamsOf(
  competition: Competition,
  boxTeams: readonly Json[],
  context: Context,
  named: Set<string>,
): Generator<Json> {
  for (const { given } of competition.sides) {
    const ref = asText(given['id']) ?? '';
    if (named.has(ref)) continue;
    named.add(ref);
    const fuller = boxTeams.map((one) => asRecord(one['team'])).find((team) => asText(team['id']) === ref);
    const at = scheduleTime(competition, context);
    const message = teamMessage({ ...asRecord(given['team']), ...fuller }, { ...context, at });
    if (message) yield message;
  }
}

/** Odds embedded in an answer; a provider that stands in it twice counts once. */
function* oddsOf(competition: Competition, items: readonly Json[], context: Context): Generator<Json> {
  const { startsAt, ref } = competition;
  const asked = context.at === undefined ? undefined : (parseTime(context.at) ?? undefined);
  const latest = asked !== undefined && asked < startsAt ? formatTime(asked) : closingAt(startsAt);
  const times = { ref, startsAt, latest, live: stateTime(competition, context) };
  const seen = new Set<string | undefined>();
  for (const item of items) {
    const provider = providerSlug(asRecord(item['provider']));
    if (seen.has(provider)) continue;
    seen.add(provider);
    yield* oddsMessages(item, times, context.notes);
  }
}
