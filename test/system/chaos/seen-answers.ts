import { expect } from 'vitest';
import { differences } from '../kill/dump.ts';
import { BOOTSTRAP_KEY } from './whole-cluster.ts';

/** Given in the order of arrival, and told by the log: what differs between two servers that were told the same. */
const OF_THE_RUN = /^(?:id|.*_ids?|updated_at|recorded_at|position)$/;

async function read(url: string, path: string): Promise<unknown> {
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${BOOTSTRAP_KEY}` } });
  const body = await answer.text();
  expect(answer.status, `${path}: ${body}`).toBe(200);
  return JSON.parse(body);
}

interface ListedEvent {
  readonly id: number;
  readonly starts_at: string;
  readonly name: string;
}

/** All events of a league in 90 days, by who plays and when. */
async function eventsOf(url: string, query: string): Promise<ReadonlyMap<string, number>> {
  const events = new Map<string, number>();
  for (let after = ''; ; ) {
    const path = `/v1/events?${query}&limit=100${after}`;
    const page = (await read(url, path)) as { events: ListedEvent[]; next_after_id: number | null };
    for (const { id, starts_at, name } of page.events) {
      const called = `${starts_at} ${name}`;
      expect(events.has(called), `two events for ${called}`).toBe(false);
      events.set(called, id);
    }
    if (page.next_after_id === null) return events;
    after = `&after_id=${page.next_after_id}`;
  }
}

/** All events that the server was told of, by who plays and when. */
export async function listedEvents(url: string): Promise<ReadonlyMap<string, number>> {
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  const past = await eventsOf(url, 'league=nfl&from=2026-09-05&to=2026-11-30');
  const live = await eventsOf(url, `league=nba&from=${day(-1)}&to=${day(1)}`);
  return new Map([...past, ...live]);
}

const OF_AN_EVENT = [
  ...['', '?include_odds=true&bookmaker=all', '/score', '/odds?bookmaker=all', '/odds/summary?bookmaker=all'],
  ...['/odds/history?bookmaker=all&limit=200', '/splits', '/injuries', '/stats'],
];

/** What a server answers of everything that it was told, by path; ids, places in the log and recorded times left out. */
export async function seenAnswers(url: string): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>();
  for (const [name, id] of await listedEvents(url)) {
    for (const rest of OF_AN_EVENT) {
      const answer = await read(url, `/v1/events/${id}${rest}`);
      seen.set(
        `${name} ${rest}`,
        JSON.stringify(answer, (key, value) => (OF_THE_RUN.test(key) ? undefined : value)),
      );
    }
  }
  return seen;
}

/** Both answer the same. */
export async function expectSameAnswers(url: string, expected: ReadonlyMap<string, string>): Promise<number> {
  const seen = await seenAnswers(url);
  expect(differences(expected, seen)).toEqual([]);
  return seen.size;
}
