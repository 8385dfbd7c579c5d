import fc from 'fast-check';
import { expect, it } from 'vitest';
import { corrections } from '../../../projections/sports-events/corrections.ts';
import { createFold, type DocumentAtPosition } from '../../../src/domain/event-sourcing/document-fold.ts';
import { CORRECTED_FIELDS } from '../../../src/domain/sports-events/event-corrections.ts';
import { putTableRow, tableRowsOf } from '../../../src/read-models/projector/folding/table-rows.ts';
import { runs } from './runs.ts';
import { type Message, type SmallServer, withServer } from './small-server.ts';
import { EVENTS, history, introductions, iso, NOW } from './world.ts';

const MINUTE = 60_000;
const QUALIFIERS = ['exact', 'not_before', 'following', 'tbd', undefined, undefined, undefined];

/** What sources say of starts and scores, in no order; some starts are announced to move. */
const said: fc.Arbitrary<Message[]> = fc
  .tuple(history, fc.array(fc.nat(), { minLength: 60, maxLength: 60 }))
  .map(([messages, draws]) =>
    messages
      .slice(introductions().length)
      .filter(({ kind }) => kind === 'schedule' || kind === 'score')
      .map((message, index): [number, Message] => {
        const drawn = draws[index]!;
        const qualifier = QUALIFIERS[drawn % QUALIFIERS.length];
        const isOpen = message['kind'] === 'schedule' && qualifier !== undefined;
        return [drawn, isOpen ? { ...message, starts_at_qualifier: qualifier } : message];
      })
      .sort(([a], [b]) => a - b)
      .map(([, message]) => message),
  );

/** Sends each a minute after the one before. @returns when each was recorded */
async function send(server: SmallServer, messages: readonly Message[]): Promise<number[]> {
  await server.accept(introductions());
  const times: number[] = [];
  for (const message of messages) {
    server.clock.time += MINUTE;
    times.push(server.clock.time);
    await server.accept([message]);
  }
  server.clock.time += MINUTE;
  await server.projected();
  return times;
}

const FORWARD: Readonly<Record<string, string>> = {
  scheduled: 'delayed inprogress suspended postponed cancelled walkover final',
  delayed: 'inprogress suspended postponed cancelled walkover final',
  inprogress: 'suspended postponed cancelled final',
  suspended: 'inprogress postponed cancelled final',
  postponed: 'scheduled delayed inprogress suspended cancelled walkover final',
};

/** The rule, of what was answered before a message and after it. */
function expectedOf(before: any, after: any): [field: string, before: unknown, after: unknown][] {
  const rows: [string, unknown, unknown][] = [];
  const [from, to] = [before.status, after.status];
  if (from !== to && !(FORWARD[from] ?? '').split(' ').includes(to)) rows.push(['status', from, to]);

  const scores = (event: any) => Object.fromEntries(event.participants.map((side: any) => [side.role, side.score]));
  const pairs = before.participants.map((side: any, index: number) => [side.score, after.participants[index].score]);
  const isOver = ['final', 'walkover', 'cancelled'].includes(from);
  const isInPlay = ['inprogress', 'suspended'].includes(from) && before.sport !== 'tennis';
  const isBroken = pairs.some(([one, two]: [string | null, string | null]) =>
    isOver ? one !== two : isInPlay && one !== null && two !== null && Number(two) < Number(one),
  );
  if (isBroken) rows.push(['score', scores(before), scores(after)]);

  const result = (event: any) => ({
    result_type: event.result_type,
    winner: event.participants.find((side: any) => side.is_winner === true)?.role ?? null,
  });
  const isChanged = JSON.stringify(result(before)) !== JSON.stringify(result(after));
  if (from === 'final' && to === 'final' && isChanged) rows.push(['result', result(before), result(after)]);

  const isOpen = ['not_before', 'following', 'tbd'].includes(before.starts_at_qualifier) || from === 'postponed';
  if (before.starts_at !== after.starts_at && !isOpen) rows.push(['starts_at', before.starts_at, after.starts_at]);
  return rows;
}

async function eventIds(server: SmallServer): Promise<number[]> {
  const bound = await Promise.all(EVENTS.map(({ ref }) => server.identities.findEvent('alpha', `alpha-${ref}`)));
  return bound.map((event) => event!.id);
}

/** Page by page. */
async function listed(server: SmallServer): Promise<any[]> {
  const rows: any[] = [];
  for (let after_id: number | null = null; ; ) {
    const page: any = await server.ask('list_corrections', { limit: 7, ...(after_id === null ? {} : { after_id }) });
    rows.push(...page.data);
    if (page.next_after_id === null) return rows;
    after_id = page.next_after_id;
  }
}

it('tells exactly what each message changed of the answers against the rule', async () => {
  await fc.assert(
    fc.asyncProperty(said, (messages) =>
      withServer({ time: NOW }, async (server) => {
        const times = await send(server, messages);
        const expected: unknown[] = [];
        const asOf = (time: number) => ({ as_of: new Date(time).toISOString() });
        const ids = await eventIds(server);
        for (const [index, { source, at }] of messages.entries()) {
          const time = times[index]!;
          for (const id of ids) {
            const before: any = await server.ask('get_event', { id, ...asOf(time - 1) });
            const after: any = await server.ask('get_event', { id, ...asOf(time) });
            for (const [field, was, is] of expectedOf(before, after)) {
              const { sport, league } = before;
              const told = { field, before: was, after: is, source, at, recorded_at: iso(time) };
              expected.push({ event_id: id, sport, league, ...told });
            }
          }
        }
        const rows = await listed(server);
        expect(rows.map(({ id: _, reason, ...row }) => ({ ...row, ...(reason === null ? {} : { reason }) }))).toEqual(
          expected,
        );
        const rowIds = rows.map(({ id }) => id);
        expect(rowIds).toEqual([...new Set(rowIds)].sort((a, b) => a - b));
      }),
    ),
    runs(40),
  );
});

it('comes to the same rows where documents were stored ahead of their tables', async () => {
  await fc.assert(
    fc.asyncProperty(said, (messages) =>
      withServer({ time: NOW }, async (server) => {
        await send(server, messages);
        const records = (await server.records()) as any[];
        const fold = createFold(corrections);
        const documents = new Map<string, any>();
        for (const record of records) fold.applyInto(documents, record);
        const tables = new Map<string, DocumentAtPosition>();
        for (const record of records) {
          const key = fold.keyOf(record);
          if (key === undefined) continue;
          for (const put of tableRowsOf(corrections, key, documents.get(key), record)) {
            // Each reflects the record that made it, and nothing that came before.
            expect(Math.floor(Number(put.table) / CORRECTED_FIELDS.length)).toBe(Number(record.position));
            tables.set(put.table, putTableRow(corrections, tables.get(put.table), put));
          }
        }
        const all = Object.fromEntries([...documents, ...[...tables].map(([key, { document }]) => [key, document])]);
        expect((await server.documents())['corrections']).toEqual(JSON.parse(JSON.stringify(all)));
      }),
    ),
    runs(20),
  );
});
