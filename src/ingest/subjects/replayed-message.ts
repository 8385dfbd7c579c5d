import { rolesOf } from '../../domain/catalogue/sport-rules.ts';
import type { MessageKind } from '../../domain/feed/feed-messages.ts';
import type { Origin } from '../../domain/streams/domain-events.ts';
import { swapSides } from '../binding/side-swap.ts';
import type { ReplayedMessage } from './subject.ts';

interface ReportedFact {
  readonly at: string;
  readonly source: string;
  readonly origin?: Origin;
}

/** What every message about an event begins with: who said it, when, and how it named the event. */
export function messageHead(kind: MessageKind, { at, source, origin }: ReportedFact): ReplayedMessage {
  const { ref, match } = origin ?? {};
  return { kind, source, at, ...(ref === undefined ? {} : { ref }), ...(match === undefined ? {} : { match }) };
}

/** A venue or competition as it was said, without the server's id of it. */
export function withoutId(name: string, place: { readonly id: number } | undefined): Readonly<Record<string, unknown>> {
  if (!place) return {};
  const { id: _, ...facts } = place;
  return { [name]: facts };
}

/** Members `home` and `away` as the source had them. */
export const sidesAsReported = <Sides extends object>(sides: Sides, origin: Origin | undefined): Sides =>
  origin?.turned ? swapSides(sides) : sides;

/** The roles of the event's first and second side, as the source had them. */
export const rolesAsReported = (sport: string, origin: Origin | undefined): readonly string[] =>
  origin?.turned ? rolesOf(sport).toReversed() : rolesOf(sport);
