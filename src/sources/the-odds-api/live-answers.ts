import { canonicalJson, fingerprint } from '../../domain/primitives/canonical-json.ts';
import { formatTime, parseTime } from '../../domain/primitives/time.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { createImportNotes } from '../importing/import-notes.ts';
import { asRecord, asText, type JsonObject } from '../parsing/json-values.ts';
import { keepLastOfEach, listItems, readItemAlone } from '../provider-base/answer-items.ts';
import { findDrift, type RequiredMember } from '../provider-base/drift-check.ts';
import { changeTime, type LastPublished } from '../provider-base/last-published.ts';
import { type AnswerItem, type ProviderAnswer, UnknownAnswerShape } from '../provider-base/provider.ts';
import { type IdentifiedEvent, identifyEvent, scheduleOf, scoreOf } from './event-messages.ts';
import { booksOf, livePrices, loadLoggedPrices, type ReadLoggedPrices } from './live-prices.ts';
import { formatOf, type OddsFormat } from './outcomes.ts';
import type { OddsApiRequest } from './requests.ts';
import { sportOfKey } from './sports.ts';

const EVENT: readonly RequiredMember[] = [
  ['id', 'text'],
  ['sport_key', 'text'],
  ['commence_time', 'time'],
  ['home_team', 'text'],
  ['away_team', 'text'],
];
const PRICES: readonly RequiredMember[] = [
  ['bookmakers', 'list'],
  ['bookmakers[].key', 'text'],
  ['bookmakers[].markets', 'list'],
  ['bookmakers[].markets[].key', 'text'],
  ['bookmakers[].markets[].outcomes', 'list'],
  ['bookmakers[].markets[].outcomes[].name', 'text'],
  ['bookmakers[].markets[].outcomes[].price', 'number'],
];

/** The keys of the covered sports that are in season. */
type SportsInSeason = { readonly sports: readonly string[] };

interface OddsApiMemory {
  readonly published: LastPublished;
  readonly readLoggedPrices: ReadLoggedPrices | undefined;
  /** The provider lists this event under the requested sport key. */
  onEvent(ref: string): void;
}

/** The messages of an answer of The Odds API. @throws UnknownAnswerShape */
export async function* readOddsApiAnswer(
  answer: ProviderAnswer,
  request: OddsApiRequest,
  { published, readLoggedPrices, onEvent }: OddsApiMemory,
): AsyncGenerator<AnswerItem | SportsInSeason> {
  if (request.route === 'sports') {
    const sports = listOf(answer.body);
    yield* await findDrift(sports, '[]', [['key', 'text']]);
    const keys = sports.filter(({ active }) => active !== false).map(({ key }) => asText(key) ?? '');
    yield { sports: keys.filter((key) => sportOfKey(key) !== undefined) };
    return;
  }
  const isSingleEvent = request.route === 'event-odds';
  const events = isSingleEvent ? [objectOf(answer.body)] : listOf(answer.body);
  const priced = isSingleEvent || request.route === 'odds';
  yield* await findDrift(events, isSingleEvent ? '' : '[]', priced ? [...EVENT, ...PRICES] : EVENT);
  const format = requestedFormat(request) ?? formatOf(events);
  const prices = { arrivedAt: answer.arrivedAt, format, markets: request.markets };
  const notes = createImportNotes();
  for (const event of keepLastOfEach(events, ({ id }) => asText(id))) {
    await yieldToEventLoop();
    if (priced && readLoggedPrices && booksOf(event).length > 0)
      await loadLoggedPrices(event, published, readLoggedPrices);
    yield* await readItemAlone(event, () => eventMessages(event), notes);
  }

  function* eventMessages(event: JsonObject): Generator<JsonObject> {
    const named = identifyEvent(event, notes);
    if (!named) return;
    onEvent(named.ref);
    yield* changedSchedule(event, named, answer.observedAt, published);
    if (request.route === 'scores') yield* changedScore(event, named, answer, published);
    if (priced) yield* livePrices(event, named, prices, published, notes);
  }
}

const requestedFormat = ({ oddsFormat }: OddsApiRequest): OddsFormat | undefined =>
  oddsFormat === 'american' || oddsFormat === 'decimal' ? oddsFormat : undefined;

/** The schedule, if it is new or has changed. Once an event has begun, the provider moves its start to the real
 *  beginning; that is no change of the schedule. */
function* changedSchedule(
  event: JsonObject,
  named: IdentifiedEvent,
  observedAt: number,
  published: LastPublished,
): Generator<JsonObject> {
  const message = scheduleOf(event, named, observedAt);
  const subject = `schedule ${named.ref}`;
  const fingerprint = fingerprintWithoutTime(message);
  const last = published.get(subject);
  if (last && (last.fingerprint === fingerprint || named.startsAt <= observedAt)) return;
  published.set(subject, { at: observedAt, fingerprint });
  yield message;
}

function* changedScore(
  event: JsonObject,
  named: IdentifiedEvent,
  answer: ProviderAnswer,
  published: LastPublished,
): Generator<JsonObject> {
  const message = scoreOf(event, named, answer.observedAt);
  if (!message) return;
  const subject = `score ${named.ref}`;
  const fingerprint = fingerprintWithoutTime(message);
  const last = published.get(subject);
  const at = changeTime(parseTime(message['at'] as string)!, answer.arrivedAt, fingerprint, last);
  if (last?.at === at && last.fingerprint === fingerprint) return;
  published.set(subject, { at, fingerprint });
  yield { ...message, at: formatTime(at) };
}

const fingerprintWithoutTime = (message: JsonObject): string =>
  fingerprint(canonicalJson({ ...message, at: undefined }));

function listOf(body: unknown): JsonObject[] {
  if (!Array.isArray(body)) throw new UnknownAnswerShape('', 'is no list');
  return listItems(body, '[]').map(asRecord);
}

function objectOf(body: unknown): JsonObject {
  if (asRecord(body) !== body || !('id' in (body as JsonObject))) throw new UnknownAnswerShape('id', 'is absent');
  return body as JsonObject;
}
