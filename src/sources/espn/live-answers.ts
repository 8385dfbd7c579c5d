import { DAY, formatTime } from '../../domain/time.ts';
import { type ReadItem, type TakenAnswer, UnknownAnswer } from '../importing/connector.ts';
import { easternDays } from '../importing/eastern-day.ts';
import { asRecord, asRecords, type Json } from '../importing/json-file.ts';
import { driftOf } from '../importing/needed-members.ts';
import { type NoteBook, noteBook } from '../importing/note-book.ts';
import { notedItems, readApart } from '../importing/read-apart.ts';
import { type Context, type ListedGame, readCompetition } from './competition.ts';
import { embeddedOdds } from './embedded-odds.ts';
import { playMessages, summarized } from './game.ts';
import type { GameBook } from './game-book.ts';
import { injuryMessages } from './injuries.ts';
import { rankingsAnswer, rosterAnswer, teamsAnswer } from './lists.ts';
import { ATHLETE, GAME, gamesIn, INJURY, RANK, TEAM } from './needed.ts';
import type { askedAt } from './routes.ts';
import { scheduleOf } from './schedule.ts';
import { scoreOf } from './score.ts';
import { listedGames, refOf } from './scoreboard.ts';

interface Reading {
  readonly body: Json;
  readonly context: Context;
  readonly notes: NoteBook;
  readonly observedAt: number;
  readonly day: string | undefined;
  readonly book: GameBook;
}

type Asked = NonNullable<ReturnType<typeof askedAt>>;

/** How far ahead a look at the injuries counts for games: as far as their line-ups are spoken of. */
const CHECKED_AHEAD = 7 * DAY;

/** What an answer of ESPN says, all of it as of the moment at which ESPN gave it. @throws UnknownAnswer */
export function* readEspnAnswer(answer: TakenAnswer, asked: Asked, book: GameBook): Generator<ReadItem> {
  const body = asRecord(answer.body);
  const notes = noteBook();
  const { observedAt } = answer;
  const season = asRecord(asRecords(body['leagues'])[0]?.['season']);
  const context: Context = { ...asked.league, at: formatTime(observedAt), live: true, season, notes };
  yield* READERS[asked.route]({ body, context, notes, observedAt, day: asked.day, book });
}

const READERS: Readonly<Record<Asked['route'], (reading: Reading) => Iterable<ReadItem>>> = {
  *scoreboard({ body, context, notes, observedAt, day, book }) {
    const events = listed(body['events'], 'events');
    const { at, games: given } = gamesIn(events);
    yield* driftOf(given, at, GAME);
    const games = listedGames(events, context);
    const placed = games.flatMap((game) => {
      const ref = refOf(game);
      return ref === undefined ? [] : [{ ref, league: game.context.league }];
    });
    const { today, yesterday, ahead } = easternDays(observedAt);
    const days = [today, yesterday, ...ahead].map(({ name }) => name);
    const taken = book.takenFrom({ sport: context.sport, league: context.league, day: day ?? '' }, placed, days);
    yield* notedItems(notes);
    for (const event of events) {
      if (Array.isArray(event['competitions'] ?? event['groupings'])) continue;
      yield { rejected: { code: 'incomplete_event', message: 'An event without any game was left out.' } };
    }
    for (const game of games) {
      const ref = refOf(game);
      if (ref === undefined || taken.has(ref)) yield* readApart(() => gameMessages(game, book), notes);
    }
  },
  *summary({ body, context, notes }) {
    const games = listed(asRecord(body['header'])['competitions'], 'header.competitions');
    needObject(body['boxscore'], 'boxscore');
    yield* driftOf(games, 'header.competitions[]', GAME);
    yield* readApart(() => {
      const game = summarized(body, context);
      return game ? playMessages(body, game, context) : [];
    }, notes);
  },
  *injuries({ body, context, notes, observedAt, book }) {
    const teams = listed(body['injuries'], 'injuries');
    const items = teams.flatMap((team) => asRecords(team['injuries']));
    yield* driftOf(teams, 'injuries[]', [['injuries', 'list']]);
    yield* driftOf(items, 'injuries[].injuries[]', INJURY);
    for (const group of teams) {
      const team = 'team' in group ? asRecord(group['team']) : group;
      for (const item of asRecords(group['injuries'])) {
        yield* readApart(() => injuryMessages(team, [item], context), notes);
      }
    }
    const { sport, league, at } = context;
    for (const ref of book.starting(league, observedAt, observedAt + CHECKED_AHEAD)) {
      yield { message: { kind: 'injury', source: 'espn', at, sport, league, ref, checked: true } };
    }
  },
  *teams({ body, context, notes }) {
    const leagues = asRecords(asRecords(body['sports'])[0]?.['leagues']);
    const teams = listed(leagues[0]?.['teams'], 'sports[].leagues[].teams');
    yield* driftOf(teams, 'sports[].leagues[].teams[]', TEAM);
    yield* readApart(() => teamsAnswer(body, context), notes);
  },
  *rankings({ body, context, notes }) {
    const rankings = listed(body['rankings'], 'rankings');
    const ranks = rankings.slice(0, 1).flatMap((ranking) => asRecords(ranking['ranks']));
    yield* driftOf(ranks, 'rankings[].ranks[]', RANK);
    yield* readApart(() => rankingsAnswer(body, context), notes);
  },
  *roster({ body, context, notes }) {
    const groups = listed(body['athletes'], 'athletes');
    needObject(body['team'], 'team');
    const grouped = groups.some((group) => 'items' in group);
    const athletes = grouped ? groups.flatMap((group) => asRecords(group['items'])) : groups;
    yield* driftOf(athletes, grouped ? 'athletes[].items[]' : 'athletes[]', ATHLETE);
    yield* readApart(() => rosterAnswer(body, context), notes);
  },
};

function* gameMessages(game: ListedGame, book: GameBook): Generator<Json> {
  const { context } = game;
  const competition = readCompetition(game.given, game.event, context);
  if (!competition) return;
  book.set(context.league, competition.ref, competition.startsAt, competition.status?.status);
  yield scheduleOf(competition, context, game.more);
  const score = scoreOf(competition, context);
  if (score) yield score;
  yield* embeddedOdds(competition, asRecords(game.given['odds']), context);
}

/** The objects of a list that an answer must have. */
function listed(given: unknown, path: string): Json[] {
  if (!Array.isArray(given)) throw new UnknownAnswer(path, given === undefined ? 'is absent' : 'is no list');
  return given.map(asRecord);
}

function needObject(given: unknown, path: string): void {
  if (asRecord(given) !== given) throw new UnknownAnswer(path, given === undefined ? 'is absent' : 'is no object');
}
