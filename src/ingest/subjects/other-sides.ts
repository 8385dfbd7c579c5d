import type { EventState } from '../../../commands/events/event-decider.ts';

interface Side {
  readonly key: string;
  readonly id: number | null;
  readonly name: string;
}
interface Named {
  readonly id: number;
  readonly state: Pick<EventState, 'event'>;
}

const sidesOf = ({ state }: Named): readonly Side[] => state.event.schedule?.sides ?? [];
const textOf = (named: Named): string =>
  `event ${named.id} is ${sidesOf(named)
    .map(({ name }) => name)
    .join(' – ')}`;

/** Why two events cannot be one: what their sides are, and which ones may be one under two names. */
export function describeOtherSides(from: Named, into: Named): string {
  const [own, others] = [from, into].map(sidesOf) as [readonly Side[], readonly Side[]];
  const [first] = own.filter(({ key }) => !others.some((other) => other.key === key));
  const [second] = others.filter(({ key }) => !own.some((other) => other.key === key));
  const both = `${textOf(from)}, ${textOf(into)}`;
  if (!first || !second) return both;
  return `${both}. If ${labelOf(first)} and ${labelOf(second)} are one, merge the teams first`;
}

const labelOf = ({ id, key, name }: Side): string => (id === null ? name : `${name} (${key.replace(':', ' ')})`);
