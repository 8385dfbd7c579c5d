import { canonicalJson, fingerprint } from '../../domain/canonical.ts';
import { formatTime } from '../../domain/time.ts';
import { breathe } from '../../platform/time/breathe.ts';
import { type Provider, type ReadItem, type TakenAnswer, UnknownAnswer } from '../importing/connector.ts';
import { asRecord, asText, type Json } from '../importing/json-file.ts';
import { lastOfEach } from '../importing/last-of-each.ts';
import { LastTold } from '../importing/last-told.ts';
import { driftOf, type Needed } from '../importing/needed-members.ts';
import { type NoteBook, noteBook } from '../importing/note-book.ts';
import { readApart } from '../importing/read-apart.ts';
import { actionNetworkQuestions, type SinceStart } from './questions.ts';
import { namedGame, pricesOf, scheduleOf, scoreOf } from './scoreboard.ts';

const GAME: readonly Needed[] = [
  ['id', 'text'],
  ['league_name', 'text'],
  ['start_time', 'time'],
  ['status', 'text'],
  ['home_team_id', 'text'],
  ['away_team_id', 'text'],
  ['teams', 'list'],
  ['teams[].id', 'text'],
  ['teams[].full_name|display_name', 'text'],
];
const PATH = /\/web\/v2\/scoreboard\/[a-z0-9_-]+\/?$/;
/** States that do not pass: another source that is asked more often tells the score while a game is played. */
const LASTING = ['final', 'postponed', 'cancelled'];
const TOLD_BYTES = 8 * 1024 * 1024;

/** Action Network: what the public bets, and prices beside it. */
export function actionNetworkProvider(): Provider {
  const told = new LastTold(TOLD_BYTES);
  const start: SinceStart = { active: new Set(), firstDay: undefined };
  return {
    name: 'action-network',
    address: 'https://api.actionnetwork.com',
    questions(leagues, now) {
      for (const { events } of leagues) {
        for (const { ref } of events) {
          if (ref !== undefined && !told.get(`schedule ${ref}`)) told.set(`schedule ${ref}`, { at: 0, print: '' });
        }
      }
      return actionNetworkQuestions(leagues, now, start);
    },
    async *read({ question, body, observedAt }: TakenAnswer): AsyncGenerator<ReadItem> {
      if (!PATH.test(question.path)) {
        throw new UnknownAnswer('', `answers no question of this provider: ${question.path}`);
      }
      const given = asRecord(body)['games'];
      if (!Array.isArray(given)) throw new UnknownAnswer('games', given === undefined ? 'is absent' : 'is no list');
      yield* driftOf(given, 'games[]', GAME);
      const notes = noteBook();
      for (const game of lastOfEach(given.map(asRecord), ({ id }) => asText(id))) {
        await breathe();
        yield* readApart(() => liveMessages(game, observedAt, told, notes), notes);
      }
    },
    forget: () => told.clear(),
    get memory() {
      return { bytes: told.bytes, limit: TOLD_BYTES };
    },
  };
}

/** What changes seldom is told when it changes: who is asked more often has the last word on it. */
function* liveMessages(game: Json, observedAt: number, told: LastTold, notes: NoteBook): Generator<Json> {
  const named = namedGame(game, notes);
  if (!named) return;
  const at = formatTime(observedAt);
  const isNew = (subject: string, message: Json): boolean => {
    const print = fingerprint(canonicalJson({ ...message, at: undefined }));
    if (told.get(subject)?.print === print) return false;
    told.set(subject, { at: observedAt, print });
    return true;
  };
  const schedule = scheduleOf(game, named, at);
  const isToCome = named.startsAt > observedAt || !told.get(`schedule ${named.ref}`);
  if (isToCome && isNew(`schedule ${named.ref}`, schedule)) yield schedule;
  const score = scoreOf(game, named, at, notes);
  const isLasting = score && LASTING.includes(score['status'] as string);
  if (isLasting && isNew(`score ${named.ref}`, score)) yield score;
  // Nobody has seen when the consensus opened.
  yield* pricesOf(game, named, observedAt, {}, notes);
}
