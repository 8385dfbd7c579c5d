import type { Origin } from '../domain/domain-events.ts';
import type { MessageKind } from '../domain/feed/messages.ts';
import { rolesOf } from '../domain/sides.ts';
import type { ToldAgain } from './subject.ts';
import { turnSides } from './turning.ts';

interface Told {
  readonly at: string;
  readonly source: string;
  readonly origin?: Origin;
}

/** What every message about an event begins with: who said it, when, and how it named the event. */
export function head(kind: MessageKind, { at, source, origin }: Told): ToldAgain {
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
export const sidesAsTold = <Sides extends object>(sides: Sides, origin: Origin | undefined): Sides =>
  origin?.turned ? turnSides(sides) : sides;

/** The roles of the event's first and second side, as the source had them. */
export const rolesAsTold = (sport: string, origin: Origin | undefined): readonly string[] =>
  origin?.turned ? rolesOf(sport).toReversed() : rolesOf(sport);
