import type { Projection } from '../../../src/domain/event-sourcing/projection.ts';
import { canonicalJson } from '../../../src/domain/primitives/canonical-json.ts';
import { statusRank } from '../../../src/domain/sports-events/sports-event.ts';
import type { DomainRecord } from '../../../src/domain/streams/domain-events.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import type { AsOf } from '../../../src/read-models/as-of/as-of.ts';

/** The documents as of a moment, from whole streams and with nothing kept: what every quicker way must equal. */
export async function plainFold<Doc>(
  log: EventLog,
  projection: Projection<Doc>,
  key: string,
  { at, basis }: AsOf,
): Promise<Map<string, Doc>> {
  const parts = await Promise.all(projection.streams!(key).map((stream) => log.readStream(stream)));
  const records = parts.flat() as DomainRecord[];
  const known =
    basis === 'observed'
      ? inObservedOrder(records, at)
      : records
          .filter(({ recordedAt }) => Date.parse(recordedAt) <= at)
          .sort((a, b) => Number(a.position) - Number(b.position));
  const documents = new Map<string, Doc>();
  for (const record of known) {
    const own = projection.types.includes(record.type) ? projection.key(record) : undefined;
    if (own !== undefined) documents.set(own, projection.apply(documents.get(own), record));
  }
  return documents;
}

function inObservedOrder(records: readonly DomainRecord[], until: number): DomainRecord[] {
  const originals = new Map(records.map((record) => [`${record.stream}|${record.revision}`, record]));
  return records
    .filter(({ data }) => Date.parse(data.at) <= until)
    .map((record): DomainRecord => {
      const { data } = record;
      const original = 'of' in data ? originals.get(`${record.stream}|${data.of}`) : undefined;
      const said = original
        ? { ...original.data, at: data.at, source: data.source, ...refOf(data, original.data) }
        : data;
      const from = original ?? record;
      return { ...from, recordedAt: record.recordedAt, data: { ...said, late: undefined } } as DomainRecord;
    })
    .sort(
      (a, b) =>
        Date.parse(a.data.at) - Date.parse(b.data.at) ||
        rankOf(a) - rankOf(b) ||
        compare(contentOf(a), contentOf(b)) ||
        (a.type === 'ParticipantDescribed' ? 0 : compare(a.data.source, b.data.source)),
    );
}

function rankOf({ type, data }: DomainRecord): number {
  if (type === 'EventScheduled') return -100 + statusRank(data.content.status);
  if (type === 'ScoreChanged') return statusRank(data.content.status);
  return type === 'ParticipantDescribed' ? -200 : 0;
}

/** Who repeats what another source said has an id of its own for it. */
const refOf = (data: object, original: object) =>
  'ref' in original ? { ref: 'ref' in data ? data.ref : undefined } : {};

const contentOf = ({ data }: DomainRecord): string => ('content' in data ? canonicalJson(data.content) : '');
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
