import type { DomainRecord, Origin } from '../streams/domain-events.ts';
import type { SourceRef } from './identity-plan.ts';

/** The ref under which a record was reported; undefined: by the sides of the event alone. */
export function sourceRefOf({ type, data }: DomainRecord): SourceRef | undefined {
  if (type === 'EventBound') return { source: data.source, ref: data.ref };
  const ref = 'origin' in data ? (data.origin as Origin | undefined)?.ref : undefined;
  return ref === undefined ? undefined : { source: data.source, ref };
}
