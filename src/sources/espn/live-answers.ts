import { DAY, formatTime } from '../../domain/primitives/time.ts';
import { createImportNotes, type ImportNotes } from '../importing/import-notes.ts';
import { asRecord, asRecords, asTime, type JsonObject } from '../parsing/json-values.ts';
import { itemsOfNotes, listItems, readItemAlone } from '../provider-base/answer-items.ts';
import { noteFull, noteNotStarted } from '../provider-base/answer-notes.ts';
import { findDrift, type RequiredMember } from '../provider-base/drift-check.ts';
import { easternDays } from '../provider-base/eastern-day.ts';
import { type AnswerItem, type ProviderAnswer, UnknownAnswerShape } from '../provider-base/provider.ts';
import { type AnswerContext, type ListedGame, readCompetition } from './competition.ts';
import { isMonth } from './days-ahead.ts';
import { boxAndLineupMessages, readSummary } from './game-messages.ts';
import { injuryMessages } from './injuries.ts';
import type { KnownGames } from './known-games.ts';
import { rankingsMessages, rosterMessages, teamListMessages } from './list-answers.ts';
import { embeddedOddsMessages } from './odds.ts';
import { type parseRequest, SCOREBOARD_LIMIT } from './requests.ts';
import { scheduleOf } from './schedule.ts';
import { scoreOf } from './score.ts';
import { listedGames, refOf } from './scoreboard.ts';

interface AnswerInputs {
  readonly answer: ProviderAnswer;
  readonly body: JsonObject;
  readonly context: AnswerContext;
  readonly notes: ImportNotes;
  readonly observedAt: number;
  readonly day: string | undefined;
  readonly book: KnownGames;
}

type ParsedRequest = NonNullable<ReturnType<typeof parseRequest>>;

/** A poll of injuries covers games up to this time ahead: as far as lineups are reported. */
const CHECKED_AHEAD = 7 * DAY;

/** The messages of an ESPN answer, all with the time at which ESPN gave it. @throws UnknownAnswerShape */
export async function* readEspnAnswer(
  answer: ProviderAnswer,
  request: ParsedRequest,
  book: KnownGames,
): AsyncGenerator<AnswerItem> {
  const body = asRecord(answer.body);
  const notes = createImportNotes();
  const { observedAt } = answer;
  const season = asRecord(asRecords(body['leagues'])[0]?.['season']);
  const context: AnswerContext = { ...request.league, at: formatTime(observedAt), live: true, season, notes };
  yield* READERS[request.route]({ answer, body, context, notes, observedAt, day: request.day, book });
}

const READERS: Readonly<Record<ParsedRequest['route'], (reading: AnswerInputs) => AsyncIterable<AnswerItem>>> = {
  async *scoreboard({ answer, body, context, notes, observedAt, day, book }) {
    const events = requireList(body['events'], 'events');
    const { at, games: given } = gamesOfScoreboard(events);
    yield* await findDrift(given, at, GAME);
    const games = listedGames(events, context);
    const placed = games.flatMap((game) => {
      const ref = refOf(game);
      return ref === undefined ? [] : [{ ref, league: game.context.league }];
    });
    const { today, yesterday, ahead } = easternDays(observedAt);
    const days = [today, yesterday, ...ahead].map(({ name }) => name);
    const claimed = book.claimGames({ sport: context.sport, league: context.league, day: day ?? '' }, placed, days);
    yield* itemsOfNotes(notes);
    if (events.length === Number(answer.request.query['limit'] ?? SCOREBOARD_LIMIT)) noteFull(answer);
    for (const event of events) {
      if (Array.isArray(event['competitions'] ?? event['groupings'])) continue;
      yield { rejected: { code: 'incomplete_event', message: 'An event without any game was left out.' } };
    }
    for (const game of games) {
      const ref = refOf(game);
      // A month also lists what is over, which today's and yesterday's scoreboards have told.
      if (isMonth(day) && (startOf(game) ?? observedAt) < today.from) continue;
      if (ref === undefined || claimed.has(ref))
        yield* await readItemAlone(
          game.given,
          () => gameMessages(game, book, (ref) => noteNotStarted(answer, ref)),
          notes,
        );
    }
  },
  async *summary({ body, context, notes }) {
    const games = requireList(asRecord(body['header'])['competitions'], 'header.competitions');
    requireObject(body['boxscore'], 'boxscore');
    yield* await findDrift(games, 'header.competitions[]', GAME);
    yield* await readItemAlone(
      body,
      () => {
        const game = readSummary(body, context);
        return game ? boxAndLineupMessages(body, game, context) : [];
      },
      notes,
    );
  },
  async *injuries({ body, context, notes, observedAt, book }) {
    const teams = requireList(body['injuries'], 'injuries');
    const items = listItems(membersOf(teams, 'injuries'), 'injuries[].injuries[]');
    yield* await findDrift(teams, 'injuries[]', [['injuries', 'list']]);
    yield* await findDrift(items, 'injuries[].injuries[]', INJURY);
    for (const group of teams) {
      const team = 'team' in group ? asRecord(group['team']) : group;
      for (const item of asRecords(group['injuries'])) {
        yield* await readItemAlone(item, () => injuryMessages(team, [item], context), notes);
      }
    }
    const { sport, league, at } = context;
    for (const ref of book.startingBetween(league, observedAt, observedAt + CHECKED_AHEAD)) {
      yield { message: { kind: 'injury', source: 'espn', at, sport, league, ref, checked: true } };
    }
  },
  async *teams({ body, context, notes }) {
    const leagues = asRecords(asRecords(body['sports'])[0]?.['leagues']);
    const teams = requireList(leagues[0]?.['teams'], 'sports[].leagues[].teams');
    yield* await findDrift(teams, 'sports[].leagues[].teams[]', TEAM);
    yield* await readItemAlone(body, () => teamListMessages(body, context), notes);
  },
  async *rankings({ body, context, notes }) {
    const rankings = requireList(body['rankings'], 'rankings');
    const ranks = rankings.slice(0, 1).flatMap((ranking) => asRecords(ranking['ranks']));
    yield* await findDrift(ranks, 'rankings[].ranks[]', RANK);
    yield* await readItemAlone(body, () => rankingsMessages(body, context), notes);
  },
  async *roster({ body, context, notes }) {
    const groups = requireList(body['athletes'], 'athletes');
    requireObject(body['team'], 'team');
    const grouped = groups.some((group) => 'items' in group);
    const athletes = grouped ? listItems(membersOf(groups, 'items'), 'athletes[].items[]') : groups;
    yield* await findDrift(athletes, grouped ? 'athletes[].items[]' : 'athletes[]', ATHLETE);
    yield* await readItemAlone(body, () => rosterMessages(body, context), notes);
  },
};

const startOf = ({ given, event }: ListedGame): number | undefined => asTime(given['date']) ?? asTime(event['date']);

/** @param onNotStarted called with the id of a game that has not begun */
function* gameMessages(game: ListedGame, book: KnownGames, onNotStarted: (ref: string) => void): Generator<JsonObject> {
  const { context } = game;
  const competition = readCompetition(game.given, game.event, context);
  if (!competition) return;
  book.set(context.league, competition.ref, competition.startsAt, competition.status?.status);
  yield scheduleOf(competition, context, game.more);
  const score = scoreOf(competition, context);
  if (score) yield score;
  else if (competition.status?.status === 'scheduled') onNotStarted(competition.ref);
  yield* embeddedOddsMessages(competition, asRecords(game.given['odds']), context);
}

/** The objects of a list that an answer must have. */
function requireList(given: unknown, path: string): JsonObject[] {
  if (!Array.isArray(given)) throw new UnknownAnswerShape(path, given === undefined ? 'is absent' : 'is no list');
  return listItems(given, `${path}[]`).map(asRecord);
}

/** The objects of a list in each of these. */
function* membersOf(groups: readonly JsonObject[], name: string): Generator<JsonObject> {
  for (const group of groups) yield* asRecords(group[name]);
}

function requireObject(given: unknown, path: string): void {
  if (asRecord(given) !== given) throw new UnknownAnswerShape(path, given === undefined ? 'is absent' : 'is no object');
}

/** Members without which a game cannot be read. */
const GAME: readonly RequiredMember[] = [
  ['id', 'text'],
  ['date|startDate', 'time'],
  ['status.type.name', 'text'],
  ['competitors', 'list'],
  ['competitors[].id', 'text'],
  ['competitors[].homeAway', 'text'],
  ['competitors[].team|roster|athlete.displayName|name|fullName', 'text'],
];

const TEAM: readonly RequiredMember[] = [
  ['team.id', 'text'],
  ['team.displayName|name', 'text'],
  ['team.abbreviation', 'text'],
];

const ATHLETE: readonly RequiredMember[] = [
  ['id', 'text'],
  ['fullName|displayName', 'text'],
];

const RANK: readonly RequiredMember[] = [
  ['current', 'number'],
  ['athlete.id', 'text'],
  ['athlete.displayName|fullName', 'text'],
];

const INJURY: readonly RequiredMember[] = [
  ['athlete.displayName|fullName', 'text'],
  ['status', 'text'],
];

/** The games of a scoreboard, and their path in it. An event without games stands for a game without members. */
function gamesOfScoreboard(events: readonly JsonObject[]): { at: string; games: JsonObject[] } {
  const grouped = events.some((event) => Array.isArray(event['groupings']));
  const at = grouped ? 'events[].groupings[].competitions[]' : 'events[].competitions[]';
  return { at, games: listItems(gamesOf(events), at) };
}

function* gamesOf(events: readonly JsonObject[]): Generator<JsonObject> {
  for (const event of events) {
    const groups = asRecords(event['groupings']);
    const lists = groups.length > 0 ? groups.map((group) => group['competitions']) : [event['competitions']];
    // Members that a game lacks are those of its event.
    const about = { id: event['id'], date: event['date'], status: event['status'] };
    for (const list of lists) {
      if (!Array.isArray(list)) yield NOT_LISTED;
      else for (const game of list) yield { ...about, ...asRecord(game) };
    }
  }
}

const NOT_LISTED: JsonObject = {};
