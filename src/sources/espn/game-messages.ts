import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import { asRecord, asRecords, asText, type JsonObject } from '../parsing/json-values.ts';
import { boxOf } from './box.ts';
import { type AnswerContext, type Competition, readCompetition, roleOf } from './competition.ts';
import { teamMessage } from './directory-messages.ts';
import { injuryGroupMessages } from './injuries.ts';
import { lineupOf, rosterRows } from './lineups.ts';
import { embeddedOddsMessages } from './odds.ts';
import { scheduleOf, scheduleTime } from './schedule.ts';
import { scoreOf, stateTime } from './score.ts';
import { listedGames } from './scoreboard.ts';

/** All events of a scoreboard; `named` holds the teams that the answer has described already. */
export function* scoreboardMessages(events: readonly JsonObject[], context: AnswerContext): Generator<JsonObject> {
  const named = new Set<string>();
  for (const game of listedGames(events, context)) {
    const competition = readCompetition(game.given, game.event, game.context);
    if (!competition) continue;
    yield* teamsOf(competition, [], game.context, named);
    yield scheduleOf(competition, game.context, game.more);
    const score = scoreOf(competition, game.context);
    if (score) yield score;
    const lineup = lineupOf(competition, [], game.context);
    if (lineup) yield lineup;
    yield* embeddedOddsMessages(competition, asRecords(game.given['odds']), game.context);
  }
}

/** The summary of one game: its header, its box score, and the injuries and odds in the same answer. */
export function* summaryMessages(summary: JsonObject, context: AnswerContext): Generator<JsonObject> {
  const competition = readSummary(summary, context);
  if (!competition) return;
  yield* teamsOf(competition, asRecords(asRecord(summary['boxscore'])['teams']), context, new Set());
  yield scheduleOf(competition, context);
  const score = scoreOf(competition, context);
  if (score) yield score;
  yield* boxAndLineupMessages(summary, competition, context);
  yield* injuryGroupMessages(asRecords(summary['injuries']), context);
  yield* embeddedOddsMessages(
    competition,
    [...asRecords(summary['pickcenter']), ...asRecords(summary['odds'])],
    context,
  );
}

/** The game of a summary; undefined, with a note, if it cannot be read. */
export function readSummary(summary: JsonObject, context: AnswerContext): Competition | undefined {
  const header = asRecord(summary['header']);
  const given = asRecords(header['competitions'])[0];
  if (!given) return undefined;
  const venue = given['venue'] ?? asRecord(summary['gameInfo'])['venue'];
  return readCompetition({ ...given, venue }, { ...header, notes: undefined }, context);
}

/** The box score and the lineup of a summary. */
export function* boxAndLineupMessages(
  summary: JsonObject,
  competition: Competition,
  context: AnswerContext,
): Generator<JsonObject> {
  const begun = ['inprogress', 'suspended', 'final'].includes(competition.status?.status ?? '');
  const final = competition.status?.status === 'final';
  const rows = playsLike(context.sport) === 'soccer' ? rosterRows(summary, competition, final) : [];
  const boxscore = asRecord(summary['boxscore']);
  const box = begun ? boxOf(boxscore, context.sport, (ref) => roleOf(competition, ref), rows) : undefined;
  if (box) {
    yield { kind: 'box', source: 'espn', at: stateTime(competition, context), ref: competition.ref, final, ...box };
  }
  const lineup = lineupOf(competition, asRecords(summary['rosters']), context);
  if (lineup) yield lineup;
}

/** The teams of a game, each once in an answer. A summary's box score describes them better than its header. */
function* teamsOf(
  competition: Competition,
  boxTeams: readonly JsonObject[],
  context: AnswerContext,
  named: Set<string>,
): Generator<JsonObject> {
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
