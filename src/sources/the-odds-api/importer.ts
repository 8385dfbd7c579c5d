import { createImportNotes } from '../importing/import-notes.ts';
import { type Importer, UnknownFileShape } from '../importing/importer.ts';
import { asRecord, asRecords, asTime, type JsonObject, readJson, unwrapEnvelope } from '../parsing/json-values.ts';
import { eventMessages } from './event-messages.ts';
import { formatOf } from './outcomes.ts';

const EXPECTED = 'an answer of The Odds API: odds, scores or events, historical ones too';

/** Answers of The Odds API, version 4 and the shape of version 3. */
export const theOddsApiImporter: Importer = {
  name: 'the-odds-api',
  summary: 'answers of The Odds API: odds, event odds, scores, events and historical ones (JSON)',
  async *translate(file, options) {
    const { body, envelope } = unwrapEnvelope(await readJson(file, EXPECTED));
    const given = Array.isArray(body) ? body : [body];
    const events = asRecords(given);
    if (events.length !== given.length || !events.every(isEvent)) throw new UnknownFileShape(file.name, EXPECTED);
    const read = events.map((event) => ('sites' in event ? fromVersion3(event) : event));
    const facts = {
      timestamp: asTime(envelope['timestamp']),
      requestedAt: asTime(options.at),
      format: options.oddsFormat ?? formatOf(read),
    };
    const notes = createImportNotes();
    for (const event of read) {
      for (const message of eventMessages(event, facts, notes)) yield { message };
      yield* notes.drain();
    }
  },
};

const isEvent = (event: JsonObject): boolean => 'id' in event && 'sport_key' in event && 'commence_time' in event;

/** Converts an event of version 3 to version 4: `sites` with decimal prices in the order of `teams`, a draw last, and
 *  totals in the order of `position`. */
function fromVersion3(event: JsonObject): JsonObject {
  const teams = Array.isArray(event['teams']) ? event['teams'] : [];
  const bookmakers = asRecords(event['sites']).map((site) => ({
    key: site['site_key'],
    last_update: site['last_update'],
    markets: Object.entries(asRecord(site['odds']))
      .filter(([key]) => !key.endsWith('_lay'))
      .map(([key, given]) => ({ key, outcomes: outcomesOf(key, given, teams) })),
  }));
  return { ...event, bookmakers };
}

function outcomesOf(key: string, given: unknown, teams: readonly unknown[]): JsonObject[] {
  const { odds = given, points, position } = asRecord(given);
  const names = key.startsWith('totals') ? listOf(position) : [...teams, 'Draw'];
  return listOf(odds).map((price, index) => ({ name: names[index], price, point: listOf(points)[index] }));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
