import { expect } from 'vitest';
import { type Change, createClient } from '../../../src/api/client/index.ts';
import { type Arrived, firstArrivals } from './webhook-receiver.ts';
import { BOOTSTRAP_KEY } from './whole-cluster.ts';

/** All changes that the server's log has to tell, in their order. */
export async function allChanges(url: string): Promise<readonly Change[]> {
  const client = createClient({ baseUrl: url, apiKey: BOOTSTRAP_KEY });
  const changes: Change[] = [];
  for (let after = '0'; ; ) {
    const page = await client.listChanges({ after, limit: 200 });
    changes.push(...page.changes);
    after = page.next_after;
    if (!page.has_more) return changes;
  }
}

interface Message {
  readonly type: string;
  readonly data: { readonly event_id?: number };
}

const contentOf = ({ type, data }: { type: string; data: object }): string => JSON.stringify([type, data]);

/** What is due to an endpoint and has not come there, or under two ids. @param due in the order of the log */
export function missing(due: readonly Change[], arrived: readonly Arrived[]): readonly Change[] {
  const came = new Map<string, number>();
  for (const { body } of firstArrivals(arrived)) {
    const content = contentOf(JSON.parse(body) as Message);
    came.set(content, (came.get(content) ?? 0) + 1);
  }
  return due.filter((change) => {
    const content = contentOf(change);
    const left = came.get(content) ?? 0;
    came.set(content, left - 1);
    return left === 0;
  });
}

/** Each change came under one id, and those of an event in the order of the log, repetitions aside. */
export function expectPublishedInOrder(due: readonly Change[], arrived: readonly Arrived[]): void {
  const bodies = new Map<string, string>();
  for (const { id, body } of arrived) {
    expect(bodies.get(id) ?? body, `${id} means one message`).toBe(body);
    bodies.set(id, body);
  }
  const firsts = firstArrivals(arrived).map(({ id, body }) => ({
    at: id.split('_')[2]!,
    ...(JSON.parse(body) as Message),
  }));
  const expected = byEvent(
    due.map((change) => [change.event_id ?? undefined, change.id.split('-')[0]!, contentOf(change)]),
  );
  const found = byEvent(firsts.map((message) => [message.data.event_id, message.at, contentOf(message)]));
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [event, contents] of expected) expect(found.get(event), `messages of event ${event}`).toEqual(contents);
}

/** In their order. What one record tells, webhooks and the list of changes tell in another one. */
function byEvent(entries: readonly (readonly [event: number | undefined, position: string, content: string])[]) {
  const events = new Map<number, { position: string; contents: string[] }[]>();
  for (const [event, position, content] of entries) {
    const runs = events.get(event!) ?? [];
    events.set(event!, runs);
    const last = runs.at(-1);
    if (last?.position === position) last.contents.push(content);
    else runs.push({ position, contents: [content] });
  }
  const sorted = ([event, runs]: [number, { contents: string[] }[]]) =>
    [event, runs.flatMap(({ contents }) => contents.toSorted())] as const;
  return new Map([...events].map(sorted));
}
