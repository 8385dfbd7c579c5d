import type { DomainRecord } from '../src/domain/domain-events.ts';
import { streams } from '../src/domain/domain-events.ts';
import type { Projection } from '../src/domain/projection.ts';
import { type EventDocument, events } from './events.ts';

/** An event as lists show it, with what was published of it last, for whoever looks for recommended ones. */
export interface IntelligenceDocument extends EventDocument {
  /** Absent: nothing was published. */
  published?: {
    readonly hasRecommend: boolean | null;
    /** `at` of the fact by which it changed. */
    readonly at: string;
    readonly modelVersion: string | null;
  };
}

/** A projection of its own: published intelligence changes all the time, and answers that show events are kept until
 *  those change. */
export const intelligence: Projection<IntelligenceDocument> = {
  name: 'intelligence',
  version: 1,
  types: [...events.types, 'IntelligencePublished'],
  key: events.key,
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    // What is published of an event rests on its schedule, so there is a document.
    if (record.type !== 'IntelligencePublished' || !document) return events.apply(document, record);
    const { has_recommend: hasRecommend, at, model_version: modelVersion } = record.data;
    document.published = { hasRecommend, at, modelVersion };
    return document;
  },
  fields: {
    ...events.fields,
    has_recommend: { kind: 'boolean', of: ({ published }) => published?.hasRecommend ?? null },
  },
  indexes: [['has_recommend', 'starts_at']],
  streams: (key) => [streams.event(key), streams.intelligence(key)],
};
