import { canonicalJson, fingerprint } from '../../domain/primitives/canonical-json.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { createImportNotes, type ImportNotes } from '../importing/import-notes.ts';
import { type Importer, UnknownFileShape } from '../importing/importer.ts';
import { type JsonObject, readJson, unwrapEnvelope } from '../parsing/json-values.ts';
import { keepLastOfEach, listItems, readItemAlone } from './answer-items.ts';
import { noteNotStarted } from './answer-notes.ts';
import { findDrift, type RequiredMember } from './drift-check.ts';
import { LastPublished } from './last-published.ts';
import {
  type AnswerItem,
  type LeagueView,
  type Provider,
  type ProviderAnswer,
  type ProviderRequest,
  UnknownAnswerShape,
} from './provider.ts';

/** A source of schedules and scores of one league, whose every answer is a list of games. */
export interface GamesSource {
  readonly name: string;
  readonly address: string;
  readonly league: string;
  /** What its files hold, in a few words. */
  readonly summary: string;
  /** The paths of its requests. */
  readonly path: RegExp;
  /** Path of the games in an answer: `dates[].games[]`. */
  readonly at: string;
  /** The games of an answer; undefined if it has no such list. */
  games(body: unknown): Iterable<JsonObject> | undefined;
  idOf(game: JsonObject): string | undefined;
  readonly needed: readonly RequiredMember[];
  requests(view: LeagueView, now: number): readonly ProviderRequest[];
  /**
   * The `schedule` and `score` of a game; a game that has not begun has a score of status `scheduled`, which is not told.
   * @param at when the source gave the answer; absent: times are assumed from the start
   */
  messages(game: JsonObject, at: string | undefined, notes: ImportNotes): Iterable<JsonObject>;
}

const PUBLISHED_BYTES = 4 * 1024 * 1024;

/** The live connector of such a source. Schedules are published when they are new or have changed: another source that
 *  is asked as often would contradict them in turns. */
export function createGamesProvider(source: GamesSource): Provider {
  const published = new LastPublished(PUBLISHED_BYTES);
  const { name, address, league } = source;

  function* newMessages(game: JsonObject, answer: ProviderAnswer, notes: ImportNotes): Generator<JsonObject> {
    for (const message of source.messages(game, formatTime(answer.observedAt), notes)) {
      if (isNotStarted(message)) noteNotStarted(answer, String(message['ref']));
      else if (message['kind'] !== 'schedule' || isNew(message, answer.observedAt)) yield message;
    }
  }

  function isNew(schedule: JsonObject, observedAt: number): boolean {
    const subject = String(schedule['ref']);
    const content = fingerprint(canonicalJson({ ...schedule, at: undefined }));
    if (published.get(subject)?.fingerprint === content) return false;
    published.set(subject, { at: observedAt, fingerprint: content });
    return true;
  }

  return {
    name,
    address,
    leagues: [league],
    requests: (leagues, now) =>
      leagues.filter((view) => view.league === league).flatMap((view) => source.requests(view, now)),
    async *read(answer: ProviderAnswer): AsyncGenerator<AnswerItem> {
      const { request, body } = answer;
      if (!source.path.test(request.path)) {
        throw new UnknownAnswerShape('', `answers no question of this provider: ${request.path}`);
      }
      const given = source.games(body);
      if (!given) throw new UnknownAnswerShape(source.at, 'is no list');
      const games = listItems(given, source.at);
      yield* await findDrift(games, source.at, source.needed);
      const notes = createImportNotes();
      for (const game of keepLastOfEach(games, source.idOf)) {
        yield* await readItemAlone(game, () => newMessages(game, answer, notes), notes);
      }
    },
    forgetPublished: () => published.clear(),
    get memory() {
      return { bytes: published.bytes, limit: PUBLISHED_BYTES };
    },
  };
}

const isNotStarted = ({ kind, status }: JsonObject): boolean => kind === 'score' && status === 'scheduled';

/** The importer of such a source. */
export const createGamesImporter = (source: GamesSource): Importer => ({
  name: source.name,
  summary: source.summary,
  async *translate(file, options) {
    const { body } = unwrapEnvelope(await readJson(file, source.summary));
    const games = source.games(body);
    if (!games) throw new UnknownFileShape(file.name, source.summary);
    const notes = createImportNotes();
    for (const game of keepLastOfEach([...games], source.idOf)) {
      for (const message of source.messages(game, options.at, notes)) {
        if (!isNotStarted(message)) yield { message };
      }
      yield* notes.drain();
    }
  },
});
