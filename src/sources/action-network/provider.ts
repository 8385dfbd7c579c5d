import { canonicalJson, fingerprint } from '../../domain/primitives/canonical-json.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { createImportNotes, type ImportNotes } from '../importing/import-notes.ts';
import { asRecord, asText, type JsonObject } from '../parsing/json-values.ts';
import { keepLastOfEach, listItems, readItemAlone } from '../provider-base/answer-items.ts';
import { findDrift, type RequiredMember } from '../provider-base/drift-check.ts';
import { LastPublished } from '../provider-base/last-published.ts';
import { type AnswerItem, type Provider, type ProviderAnswer, UnknownAnswerShape } from '../provider-base/provider.ts';
import { actionNetworkRequests, type StartupState } from './requests.ts';
import { identifyGame, pricesOf, scheduleOf, scoreOf } from './scoreboard.ts';

const GAME: readonly RequiredMember[] = [
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
/** States that last. While a game is played, another source that is polled more often reports the score. */
const LASTING = ['final', 'postponed', 'cancelled'];
const PUBLISHED_BYTES = 8 * 1024 * 1024;

/** Action Network: how the public bets, with prices. */
export function actionNetworkProvider(): Provider {
  const published = new LastPublished(PUBLISHED_BYTES);
  const start: StartupState = { active: new Set(), firstDay: undefined };
  return {
    name: 'action-network',
    address: 'https://api.actionnetwork.com',
    requests(leagues, now) {
      for (const { events } of leagues) {
        for (const { ref } of events) {
          if (ref !== undefined && !published.get(`schedule ${ref}`))
            published.set(`schedule ${ref}`, { at: 0, fingerprint: '' });
        }
      }
      return actionNetworkRequests(leagues, now, start);
    },
    async *read({ request, body, observedAt }: ProviderAnswer): AsyncGenerator<AnswerItem> {
      if (!PATH.test(request.path)) {
        throw new UnknownAnswerShape('', `answers no question of this provider: ${request.path}`);
      }
      const listed = asRecord(body)['games'];
      if (!Array.isArray(listed))
        throw new UnknownAnswerShape('games', listed === undefined ? 'is absent' : 'is no list');
      const given = listItems(listed, 'games[]');
      yield* await findDrift(given, 'games[]', GAME);
      const notes = createImportNotes();
      for (const game of keepLastOfEach(given.map(asRecord), ({ id }) => asText(id))) {
        await yieldToEventLoop();
        yield* await readItemAlone(game, () => liveMessages(game, observedAt, published, notes), notes);
      }
    },
    forgetPublished: () => published.clear(),
    get memory() {
      return { bytes: published.bytes, limit: PUBLISHED_BYTES };
    },
  };
}

/** Seldom-changing content is published only when it changes. The source that is polled more often then has the last
 *  word. */
function* liveMessages(
  game: JsonObject,
  observedAt: number,
  published: LastPublished,
  notes: ImportNotes,
): Generator<JsonObject> {
  const named = identifyGame(game, notes);
  if (!named) return;
  const at = formatTime(observedAt);
  const isNew = (subject: string, message: JsonObject): boolean => {
    const contentFingerprint = fingerprint(canonicalJson({ ...message, at: undefined }));
    if (published.get(subject)?.fingerprint === contentFingerprint) return false;
    published.set(subject, { at: observedAt, fingerprint: contentFingerprint });
    return true;
  };
  const schedule = scheduleOf(game, named, at);
  const isToCome = named.startsAt > observedAt || !published.get(`schedule ${named.ref}`);
  if (isToCome && isNew(`schedule ${named.ref}`, schedule)) yield schedule;
  const score = scoreOf(game, named, at, notes);
  const isLasting = score && LASTING.includes(score['status'] as string);
  if (isLasting && isNew(`score ${named.ref}`, score)) yield score;
  // The opening time of the consensus is unknown.
  yield* pricesOf(game, named, observedAt, {}, notes);
}
