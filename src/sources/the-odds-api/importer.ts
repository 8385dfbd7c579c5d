import { type Importer, UnknownFileShape } from '../importing/importer.ts';
import { asRecords, asTime, type Json, readJson, unwrap } from '../importing/json-file.ts';
import { noteBook } from '../importing/note-book.ts';
import { eventMessages } from './event.ts';
import { fromOldShape } from './old-shape.ts';
import { formatOf } from './outcomes.ts';

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
