import { type Importer, UnknownFileShape } from '../importer.ts';
import { asNumber, asRecord, asRecords, asTime, type Json, readJson, unwrap } from '../json-file.ts';
import { noteBook } from '../note-book.ts';
import { eventMessages } from './event.ts';
import { fromOldShape } from './old-shape.ts';
import type { OddsFormat } from './outcomes.ts';

const EXPECTED = 'an answer of The Odds API: odds, scores or events, historical ones too';

/** Answers of The Odds API, version 4 and the shape of version 3. */
export const theOddsApiImporter: Importer = {
  name: 'the-odds-api',
  summary: 'answers of The Odds API: odds, event odds, scores, events and historical ones (JSON)',
  async *translate(file, options) {
    const { body, envelope } = unwrap(await readJson(file, EXPECTED));
    const given = Array.isArray(body) ? body : [body];
    const events = asRecords(given);
    if (events.length !== given.length || !events.every(isEvent)) throw new UnknownFileShape(file.name, EXPECTED);
    const read = events.map((event) => ('sites' in event ? fromOldShape(event) : event));
    const facts = {
      timestamp: asTime(envelope['timestamp']),
      asked: asTime(options.at),
      format: options.oddsFormat ?? formatOf(read),
    };
    const notes = noteBook();
    for (const event of read) {
      for (const message of eventMessages(event, facts, notes)) yield { message };
      yield* notes.drain();
    }
  },
};

const isEvent = (event: Json): boolean => 'id' in event && 'sport_key' in event && 'commence_time' in event;

/** No American price lies between -100 and 100, so that one such price makes the answer decimal. 0 is no price. */
function formatOf(events: readonly Json[]): OddsFormat {
  for (const event of events) {
    for (const book of asRecords(event['bookmakers'])) {
      for (const market of asRecords(book['markets'])) {
        for (const outcome of asRecords(market['outcomes'])) {
          const price = asNumber(asRecord(outcome)['price']);
          if (price !== undefined && price !== 0 && Math.abs(price) < 100) return 'decimal';
        }
      }
    }
  }
  return 'american';
}
