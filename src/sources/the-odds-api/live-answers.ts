import { canonicalJson, fingerprint } from '../../domain/canonical.ts';
import { formatTime, parseTime } from '../../domain/time.ts';
import { breathe } from '../../platform/time/breathe.ts';
import { type ReadItem, type TakenAnswer, UnknownAnswer } from '../importing/connector.ts';
import { asRecord, asText, type Json } from '../importing/json-file.ts';
import { lastOfEach } from '../importing/last-of-each.ts';
import { type LastTold, timeOfChange } from '../importing/last-told.ts';
import { driftOf, type Needed } from '../importing/needed-members.ts';
import { noteBook } from '../importing/note-book.ts';
import { readApart } from '../importing/read-apart.ts';
import { type NamedEvent, namedEvent, scheduleOf, scoreOf } from './event.ts';
import { booksOf, livePrices, type PricesInLog, recallPrices } from './live-prices.ts';
import { formatOf, type OddsFormat } from './outcomes.ts';
import type { OddsApiAsked } from './routes.ts';
import { sportOf } from './sports.ts';

const EVENT: readonly Needed[] = [
  ['id', 'text'],
  ['sport_key', 'text'],
  ['commence_time', 'time'],
  ['home_team', 'text'],
  ['away_team', 'text'],
];
const PRICES: readonly Needed[] = [
  ['bookmakers', 'list'],
  ['bookmakers[].key', 'text'],
  ['bookmakers[].markets', 'list'],
  ['bookmakers[].markets[].key', 'text'],
  ['bookmakers[].markets[].outcomes', 'list'],
  ['bookmakers[].markets[].outcomes[].name', 'text'],
  ['bookmakers[].markets[].outcomes[].price', 'number'],
];

/** The keys of the sports that are in season and covered. */
export type SportsInSeason = { readonly sports: readonly string[] };

export interface OddsApiMemory {
  readonly told: LastTold;
  readonly inLog: PricesInLog | undefined;
  /** The provider lists this event under the key of the sport that was asked for. */
  onEvent(ref: string): void;
}

/** What an answer of The Odds API says. @throws UnknownAnswer */
export async function* readOddsApiAnswer(
  answer: TakenAnswer,
  asked: OddsApiAsked,
  { told, inLog, onEvent }: OddsApiMemory,
): AsyncGenerator<ReadItem | SportsInSeason> {
  if (asked.route === 'sports') {
    const sports = listOf(answer.body);
    yield* driftOf(sports, '[]', [['key', 'text']]);
    const keys = sports.filter(({ active }) => active !== false).map(({ key }) => asText(key) ?? '');
    yield { sports: keys.filter((key) => sportOf(key) !== undefined) };
    return;
  }
  const one = asked.route === 'event-odds';
  const events = one ? [objectOf(answer.body)] : listOf(answer.body);
  const priced = one || asked.route === 'odds';
  yield* driftOf(events, one ? '' : '[]', priced ? [...EVENT, ...PRICES] : EVENT);
  const format = formatAsked(asked) ?? formatOf(events);
  const prices = { arrivedAt: answer.arrivedAt, format, markets: asked.markets };
  const notes = noteBook();
  for (const event of lastOfEach(events, ({ id }) => asText(id))) {
    await breathe();
    if (priced && inLog && booksOf(event).length > 0) await recallPrices(event, told, inLog);
    yield* readApart(() => eventMessages(event), notes);
  }

  function* eventMessages(event: Json): Generator<Json> {
    const named = namedEvent(event, notes);
    if (!named) return;
    onEvent(named.ref);
    yield* changedSchedule(event, named, answer.observedAt, told);
    if (asked.route === 'scores') yield* changedScore(event, named, answer, told);
    if (priced) yield* livePrices(event, named, prices, told, notes);
  }
}

const formatAsked = ({ oddsFormat }: OddsApiAsked): OddsFormat | undefined =>
  oddsFormat === 'american' || oddsFormat === 'decimal' ? oddsFormat : undefined;

/**
 * The schedule, where it is new or has changed. Once an event has begun the provider moves its start to when it really
 * began: that is no change of the schedule.
 */
function* changedSchedule(event: Json, named: NamedEvent, observedAt: number, told: LastTold): Generator<Json> {
  const message = scheduleOf(event, named, observedAt);
  const subject = `schedule ${named.ref}`;
  const print = printWithoutTime(message);
  const last = told.get(subject);
  if (last && (last.print === print || named.startsAt <= observedAt)) return;
  told.set(subject, { at: observedAt, print });
  yield message;
}

function* changedScore(event: Json, named: NamedEvent, answer: TakenAnswer, told: LastTold): Generator<Json> {
  const message = scoreOf(event, named, answer.observedAt);
  if (!message) return;
  const subject = `score ${named.ref}`;
  const print = printWithoutTime(message);
  const last = told.get(subject);
  const at = timeOfChange(parseTime(message['at'] as string)!, answer.arrivedAt, print, last);
  if (last?.at === at && last.print === print) return;
  told.set(subject, { at, print });
  yield { ...message, at: formatTime(at) };
}

const printWithoutTime = (message: Json): string => fingerprint(canonicalJson({ ...message, at: undefined }));

function listOf(body: unknown): Json[] {
  if (!Array.isArray(body)) throw new UnknownAnswer('', 'is no list');
  return body.map(asRecord);
}

function objectOf(body: unknown): Json {
  if (asRecord(body) !== body || !('id' in (body as Json))) throw new UnknownAnswer('id', 'is absent');
  return body as Json;
}
