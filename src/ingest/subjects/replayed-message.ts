import type { MessageKind } from '../../domain/feed/feed-messages.ts';
import type { Origin } from '../../domain/streams/domain-events.ts';
import type { ReplayedMessage } from './subject.ts';

interface ReportedFact {
  readonly at: string;
  readonly source: string;
  readonly origin?: Origin;
}

/** The members of every message about an event: kind, source, time, and the name of the event. */
export function messageHead(kind: MessageKind, { at, source, origin }: ReportedFact): ReplayedMessage {
  const { ref, match } = origin ?? {};
  return { kind, source, at, ...(ref === undefined ? {} : { ref }), ...(match === undefined ? {} : { match }) };
}

/** A venue or competition as reported, without the id that the server gave it. */
export function withoutId(name: string, place: { readonly id: number } | undefined): Readonly<Record<string, unknown>> {
  if (!place) return {};
  const { id: _, ...facts } = place;
  return { [name]: facts };
}
