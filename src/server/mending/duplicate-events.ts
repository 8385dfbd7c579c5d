import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { HOUR, MINUTE } from '../../domain/primitives/time.ts';
import { gameNumberOf } from '../../domain/sports-events/sports-event.ts';
import type { Query } from '../../read-models/store/document-reader.ts';
import type { DuplicateRow } from '../../web/account/admin/identity-desk.ts';
import { type DuplicateParts, haveSourceInCommon } from './source-in-common.ts';
import { thingRows } from './thing-rows.ts';

const AT_ONCE = 100;
/** Two events of the same sides that start within this time may be one. */
const APART = 36 * HOUR;
/** Events of a league that start within that time; more are not compared. */
const MAX_NEAR = 2000;
/** Pairs that are kept while they are sorted, the nearest: to sort more would hold others up. */
const MAX_PAIRS = 20_000;

/** Two events, without their documents. */
interface Pair {
  readonly a: number;
  readonly b: number;
  readonly minutes: number;
  readonly swapped: boolean;
}

const compare = (one: Pair, other: Pair): number =>
  one.minutes - other.minutes || Number(one.swapped) - Number(other.swapped) || one.a - other.a || one.b - other.b;

/** Events of the same sides that start near each other, from different sources: the nearest first. */
export async function* duplicateEvents(
  parts: DuplicateParts,
  leagues: readonly { readonly slug: string }[],
): AsyncGenerator<DuplicateRow> {
  let pairs: Pair[] = [];
  for (const { slug } of leagues) {
    for await (const pair of pairsOfLeague(parts, slug)) {
      pairs.push(pair);
      if (pairs.length > 2 * MAX_PAIRS) pairs = pairs.sort(compare).slice(0, MAX_PAIRS);
    }
  }
  pairs = pairs.sort(compare).slice(0, MAX_PAIRS);
  const counts = new Map<number, number>();
  for (const { a, b } of pairs) for (const id of [a, b]) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const pair of pairs) {
    const stored = await parts.store.getMany<EventDocument>(events.name, [String(pair.a), String(pair.b)]);
    const [a, b] = await thingRows(
      parts,
      'event',
      stored.flatMap((one) => (one ? [one.document] : [])),
    );
    if (a && b) yield { what: 'event', a, b, reason: reasonOf(pair, counts) };
  }
}

function reasonOf({ a, b, minutes, swapped }: Pair, counts: ReadonlyMap<number, number>): string {
  const apart = minutes === 0 ? 'at the same time' : `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} apart`;
  const several = [a, b].flatMap((id) => {
    const count = counts.get(id) ?? 1;
    return count > 1 ? [`event ${id} stands in ${count} pairs`] : [];
  });
  const start = `the same sides${swapped ? ', sides swapped' : ''}, ${apart}, from different sources`;
  return [start, ...several].join('; ');
}

async function* pairsOfLeague(parts: DuplicateParts, league: string): AsyncGenerator<Pair> {
  let near: { readonly document: EventDocument; readonly start: number; readonly sides: string }[] = [];
  for await (const document of byStart(parts, league)) {
    const [start, sides] = [startOf(document), sidesOf(document)];
    if (sides === undefined) continue;
    near = near.filter((other) => start - other.start <= APART).slice(-MAX_NEAR);
    for (const { document: other, start: before } of near.filter((one) => one.sides === sides)) {
      const [a, b] = other.id < document.id ? [other, document] : [document, other];
      if (haveOtherNumbers(a, b) || (await haveSourceInCommon(parts, 'event', a, b))) continue;
      const minutes = Math.round((start - before) / MINUTE);
      yield { a: a.id, b: b.id, minutes, swapped: a.sides![0].key !== b.sides![0].key };
    }
    near.push({ document, start, sides });
  }
}

const startOf = ({ event }: EventDocument): number => Date.parse(event.schedule!.starts_at);

/** The first and the second game of a day are two. */
function haveOtherNumbers(a: EventDocument, b: EventDocument): boolean {
  const [one, other] = [a, b].map(({ event }) => gameNumberOf(event.schedule));
  return one !== null && other !== null && one !== other;
}

const sidesOf = ({ sides }: EventDocument): string | undefined =>
  sides?.every(({ key }) => !key.startsWith('name:'))
    ? sides
        .map(({ key }) => key)
        .toSorted()
        .join('~')
    : undefined;

async function* byStart({ store, since, replacements }: DuplicateParts, league: string): AsyncGenerator<EventDocument> {
  const range = since === undefined ? {} : { range: { field: 'starts_at', from: since } };
  const order = { field: 'starts_at', direction: 'asc' } as const;
  let after: Query['after'];
  for (;;) {
    const query = { where: { league }, ...range, order, limit: AT_ONCE, ...(after ? { after } : {}) };
    const page = await store.find<EventDocument>(events.name, query);
    for (const { document } of page) {
      if (document.event.schedule && replacements.meaningOf('event', document.id) === document.id) yield document;
    }
    const last = page.at(-1)?.document;
    if (page.length < AT_ONCE || !last) return;
    const startsAt = last.event.schedule?.starts_at;
    after = { value: startsAt === undefined ? null : Date.parse(startsAt), id: last.id };
  }
}
