import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { hasPlaceholder } from '../../domain/side-profiles.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { ChangeMapperParts, ClientChange } from '../../read-models/change-feed/change-mapper.ts';
import { changesAsJson } from '../../read-models/change-feed/encoded-change.ts';
import type { FoldedStreams } from '../../read-models/change-feed/folded-streams.ts';
import { injuryChangeMapper } from '../../read-models/change-feed/mappers/injury-change-mapper.ts';
import { intelligenceChangeMapper } from '../../read-models/change-feed/mappers/intelligence-change-mapper.ts';
import { scoreChangeMapper } from '../../read-models/change-feed/mappers/score-change-mapper.ts';
import { createStreamFoldCache } from '../../read-models/change-feed/stream-fold-cache.ts';
import { renderMovement } from '../../read-models/rendering/render-odds.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import type { PlayedEvents } from './played-events.ts';
import type { PricedRow } from './priced-series.ts';

/** Applies a record to the run. @returns its changes as `/v1/changes` shows them, each as JSON */
export type PlayRecord = (record: DomainRecord) => Promise<readonly string[]>;

interface Parts {
  readonly log: Pick<EventLog, 'readStream' | 'replacements'>;
  readonly store: Pick<DocumentReader, 'find'>;
  readonly played: PlayedEvents;
  /** Undefined: every league. */
  readonly league: string | undefined;
}

const isWanted = () => true;
const noLists = () => [];

/**
 * The change mappers of `/v1/changes` on events in the order of observation. Prices have rows of their own: there each
 * price is a change, moved or not.
 */
export function createPlayedChanges({ log, store, played, league }: Parts): PlayRecord {
  const documentOf = async (key: string) => (await played.find(Number(key))).document;
  // What a mapper asks for is always the present state of the run.
  const events: FoldedStreams<EventDocument> = {
    before: async (record) => (await documentOf(String((record.data as { eventId: number }).eventId)))!,
    after: async (record) => (await played.applyScore(record as DomainRecord))!,
    beforePosition: (_stream, key) => documentOf(key),
    throughPosition: (_stream, key) => documentOf(key),
  };
  const parts: ChangeMapperParts = {
    log,
    store,
    events,
    foldCache: createStreamFoldCache(),
    breathe: yieldToEventLoop,
    waitUntilProjected: async () => {},
    weightOf: () => 0,
  };
  const mapScores = scoreChangeMapper.create(parts);
  const mapInjuries = injuryChangeMapper.create(parts);
  const mapIntelligence = intelligenceChangeMapper.create(parts);
  const encode = (changes: readonly ClientChange[]): readonly string[] =>
    changesAsJson(league === undefined ? changes : changes.filter((change) => change.league === league));

  return async (given) => {
    const record = await played.expand(given);
    switch (record.type) {
      case 'ScoreChanged':
      case 'EventScheduled':
        return encode(await mapScores(record, isWanted, record.position, noLists));
      case 'PricesChanged': {
        const rows = await played.applyPrices(record);
        const document = await documentOf(String(record.data.eventId));
        // An event with a placeholder has no odds.
        if (!document?.event.schedule || hasPlaceholder(document)) return [];
        return encode(rows.map((row, index) => priceChange(record, document, row, index)));
      }
      case 'InjuryReported':
        return encode(await mapInjuries(record, isWanted, record.position, noLists));
      case 'IntelligencePublished':
        return encode(await mapIntelligence(record, isWanted, record.position, noLists));
      default:
        await played.applyScore(record);
        return [];
    }
  };
}

/** As a line move, with `null` for what was before the first price. */
function priceChange(
  { data, recordedAt, position }: Extract<DomainRecord, { type: 'PricesChanged' }>,
  document: EventDocument,
  { bookmaker, row }: PricedRow,
  index: number,
): ClientChange {
  const { eventId, sport, league, at } = data;
  return {
    eventType: 'line_move',
    eventId,
    sport,
    league,
    observedAt: at,
    at: recordedAt,
    position,
    index,
    data: { event_id: eventId, ...renderMovement(document, bookmaker, row) },
  };
}
