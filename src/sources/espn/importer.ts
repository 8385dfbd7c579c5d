import { createImportNotes, type ImportNotes } from '../importing/import-notes.ts';
import { type Importer, type ImportFile, type ImportOptions, UnknownFileShape } from '../importing/importer.ts';
import {
  asRecord,
  asRecords,
  asText,
  asTime,
  type JsonObject,
  readJson,
  unwrapEnvelope,
} from '../parsing/json-values.ts';
import type { AnswerContext } from './competition.ts';
import {
  eventRefOf,
  hasProvider,
  isLinkOnly,
  linkTarget,
  movementAnswerMessages,
  oddsAnswerMessages,
} from './core-answers.ts';
import { scoreboardMessages, summaryMessages } from './game-messages.ts';
import { injuryGroupMessages, injuryMessages } from './injuries.ts';
import { type EspnLeague, leagueOfAnswer } from './leagues.ts';
import {
  playerListMessages,
  rankingsMessages,
  rosterMessages,
  standingsMessages,
  teamListMessages,
} from './list-answers.ts';

const EXPECTED =
  'an answer of ESPN: a scoreboard, game summary, odds, injuries, teams, standings, rankings or a roster';

/** Answers of ESPN's public interface. */
export const espnImporter: Importer = {
  name: 'espn',
  summary: 'answers of ESPN: scoreboards, game summaries, odds, injuries, teams, standings, rankings, rosters (JSON)',
  needsStarts: true,
  async *translate(file, options) {
    const answer = asRecord(unwrapEnvelope(await readJson(file, EXPECTED)).body);
    const notes = createImportNotes();
    for await (const message of messagesOf(answer, file, options, notes)) {
      yield { message };
      yield* notes.drain();
    }
    yield* notes.drain();
  },
};

async function* messagesOf(
  answer: JsonObject,
  file: ImportFile,
  options: ImportOptions,
  notes: ImportNotes,
): AsyncGenerator<JsonObject> {
  if (isEmpty(answer)) {
    notes.add('nothing_in_answer', 'The answer holds nothing.');
    return;
  }
  if (Array.isArray(answer['items'])) {
    yield* itemsAnswer(answer, file, options, notes);
    return;
  }
  const shape = SHAPES.find(([fits]) => fits(answer));
  const league = shape && leagueOfAnswer(answer, file.name);
  if (!shape || !league) throw new UnknownFileShape(file.name, EXPECTED);
  yield* shape[1](answer, contextOf(answer, league, options, notes));
}

type Shape = readonly [
  fits: (answer: JsonObject) => boolean,
  read: (answer: JsonObject, context: AnswerContext) => Generator<JsonObject>,
];

const SHAPES: readonly Shape[] = [
  [
    (answer) => Array.isArray(answer['events']),
    (answer, context) => scoreboardMessages(asRecords(answer['events']), context),
  ],
  [(answer) => 'header' in answer && 'boxscore' in answer, summaryMessages],
  [(answer) => Array.isArray(answer['sports']), teamListMessages],
  [(answer) => Array.isArray(answer['rankings']), rankingsMessages],
  [(answer) => 'standings' in answer || Array.isArray(answer['children']), standingsMessages],
  [(answer) => Array.isArray(answer['athletes']) && 'team' in answer, rosterMessages],
  [
    (answer) => Array.isArray(answer['athletes']),
    (answer, context) => playerListMessages(asRecords(answer['athletes']), answer, context),
  ],
  [
    (answer) => Array.isArray(answer['injuries']),
    (answer, context) => injuryGroupMessages(asRecords(answer['injuries']), context),
  ],
];

/** `{}`, or the answer of an address without content: `{"code": 404}`. */
const isEmpty = (answer: JsonObject): boolean =>
  Object.keys(answer).length === 0 || (Object.keys(answer).length <= 2 && 'code' in answer);

function contextOf(answer: JsonObject, league: EspnLeague, { at }: ImportOptions, notes: ImportNotes): AnswerContext {
  const season = asRecord(asRecords(answer['leagues'])[0]?.['season']);
  return { ...league, at, season, notes };
}

/** Pages of the core interface: odds, movements, injuries, or links to them. */
async function* itemsAnswer(
  answer: JsonObject,
  file: ImportFile,
  options: ImportOptions,
  notes: ImportNotes,
): AsyncGenerator<JsonObject> {
  const items = asRecords(answer['items']);
  const links = items.filter(isLinkOnly);
  for (const link of links) {
    notes.add('links_only', `A link to ${linkTarget(link)} was left out: the file does not hold what it leads to.`);
  }
  const facts = items.filter((item) => !isLinkOnly(item));
  if (facts.length === 0) {
    if (links.length === 0) notes.add('nothing_in_answer', 'The answer holds nothing.');
    return;
  }
  if (facts.every((item) => 'athlete' in item && ('status' in item || 'type' in item))) {
    const league = leagueOfAnswer(answer, file.name);
    if (!league) throw new UnknownFileShape(file.name, EXPECTED);
    const context = contextOf(answer, league, options, notes);
    for (const item of facts) yield* injuryMessages(asRecord(item['team']), [item], context);
    return;
  }
  const ref = eventRefOf(answer, file.name);
  if (ref === undefined) throw new UnknownFileShape(file.name, `${EXPECTED}, with the event's id in it or in its name`);
  const sport = leagueOfAnswer(answer, file.name)?.sport;
  if (facts.every(hasProvider)) {
    const startsAt = await options.starts?.ofRef('espn', ref);
    yield* oddsAnswerMessages(facts, { ref, sport, startsAt, requestedAt: asTime(options.at) }, file.name, notes);
  } else if (facts.every((item) => asText(item['lineDate']) !== undefined)) {
    yield* movementAnswerMessages(facts, { ref, sport }, answer, file.name, notes);
  } else throw new UnknownFileShape(file.name, EXPECTED);
}
