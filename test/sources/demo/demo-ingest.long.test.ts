import { expect, it } from 'vitest';
import type { DomainRecord } from '../../../src/domain/streams/domain-events.ts';
import { type DemoMessage, demoDay } from '../../../src/sources/demo/demo-day.ts';
import { type SmallServer, withServer } from '../../system/properties/small-server.ts';
import { byEvent, runOf, STARTED_AT, someGames } from './demo-days.ts';

const DAYS_LATER = STARTED_AT + 3 * 86_400_000;
const BATCH = 500;

async function feed(server: SmallServer, said: readonly DemoMessage[]): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  for (let from = 0; from < said.length; from += BATCH) {
    const batch = said.slice(from, from + BATCH).map(({ message }) => message);
    for (const outcome of await server.accept(batch)) {
      if (outcome.status === 'rejected') expect.fail(outcome.message);
      outcomes[outcome.status] = (outcomes[outcome.status] ?? 0) + 1;
    }
  }
  return outcomes;
}

const asText = async (server: SmallServer) =>
  JSON.stringify(await server.records(), (_, value) => (typeof value === 'bigint' ? String(value) : value));

/** The first day with some of its games, so that the directory is in it. */
const dayOf = (seed: number, games: number) => {
  const run = runOf(seed);
  return [...demoDay(run, 0, someGames(run, 0, games))];
};

it('is taken as it is, nothing refused and nothing waiting, and only once', async () => {
  await withServer({ time: DAYS_LATER }, async (server) => {
    const said = dayOf(4, 10);
    expect(await feed(server, said)).toEqual({ accepted: said.length });
    expect(await server.waiting()).toEqual([]);
    const before = await asText(server);

    expect(await feed(server, said)).toEqual({ unchanged: said.length });
    expect(await asText(server)).toBe(before);
  });
});

it('says the same again no more often than every minute', async () => {
  await withServer({ time: DAYS_LATER }, async (server) => {
    await feed(server, dayOf(5, 8));
    const records = (await server.records()) as readonly DomainRecord[];
    const newest = new Map<string, number>();
    for (const { stream, type, data } of records) {
      const book = 'content' in data && 'bookmaker' in data.content ? data.content.bookmaker : '';
      const subject = `${stream}|${book}`;
      const at = Date.parse(data.at);
      if (type.endsWith('Reconfirmed')) expect(at - (newest.get(subject) ?? 0)).toBeGreaterThanOrEqual(60_000);
      newest.set(subject, at);
    }
  });
});

it('ends every game in the documents as it was told', async () => {
  await withServer({ time: DAYS_LATER }, async (server) => {
    const said = dayOf(6, 10);
    await feed(server, said);
    await server.projected();
    const { events } = await server.documents();
    const told = [...byEvent(said).values()].map((own) => own.findLast(({ kind }) => kind === 'score')!['status']);
    const stand = Object.values(events!).map((document) => (document as { event: { status: string } }).event.status);

    expect(stand.sort()).toEqual(told.sort());
  });
});
