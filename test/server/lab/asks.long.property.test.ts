import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { operations } from '../../../src/api/operations/index.ts';
import { isAskable } from '../../../src/server/lab/lab-asks.ts';
import { dayOfSport } from '../../api/openapi/day-of-sport.ts';
import type { Message } from '../../api/spec/messages.ts';
import { cases } from '../../support/cases.ts';
import { type LabWorld, labWorld, NOW } from './lab-world.ts';

const DAY = 86_400_000;
const DESCRIPTIONS = ['team', 'player', 'schedule'];
const timeOf = ({ at }: Message) => Date.parse(at as string);

/**
 * A day of sport in the order of observation. Names and schedules are known first: a message that waits for them would
 * count from when it was observed, in a log that came to know them.
 */
function inOrder(): readonly Message[] {
  const all = dayOfSport(NOW).map((message) =>
    DESCRIPTIONS.includes(message.kind) ? { ...message, at: new Date(NOW - 3 * DAY).toISOString() } : message,
  );
  const rank = ({ kind }: Message) => (DESCRIPTIONS.indexOf(kind) + DESCRIPTIONS.length) % (DESCRIPTIONS.length + 1);
  return all.toSorted((a, b) => timeOf(a) - timeOf(b) || rank(a) - rank(b));
}

const LEAGUES = ['nfl', 'epl'];
const EVENTS = 8;
const QUERIES = ['', '?bookmaker=all', '?include_odds=true&include_intelligence=true&bookmaker=all'];

/** Every read that can be asked, of every event and some leagues. */
const paths = operations
  .filter(isAskable)
  .flatMap(({ path }) =>
    path.includes('{id}')
      ? Array.from({ length: EVENTS }, (_, index) => path.replace('{id}', String(index + 1)))
      : LEAGUES.map((slug) => path.replace('{slug}', slug)),
  )
  .flatMap((path) => QUERIES.map((query) => `${path}${query}`));

async function opened(messages: readonly Message[]): Promise<LabWorld> {
  const world = await labWorld(messages);
  onTestFinished(() => world.close());
  return world;
}

it('no answer tells of what is observed later: a log that ends at the moment gives the same', {
  timeout: 600_000,
}, async () => {
  const messages = inOrder();
  const times = [...new Set(messages.map(timeOf))].slice(1, -1);
  const whole = await opened(messages);
  const seen = { data: 0, changed: 0 };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...times), fc.boolean(), async (time, isBetween) => {
      const now = time + (isBetween ? 1 : 0);
      const ended = await labWorld(messages.filter((message) => timeOf(message) <= now));
      try {
        for (const path of paths) {
          const answer = JSON.parse(await whole.lab.answer(path, now));
          expect(withoutClock(answer), `${path} at ${new Date(now).toISOString()}`).toEqual(
            withoutClock(JSON.parse(await ended.lab.answer(path, now))),
          );
          if (!('error' in answer)) seen.data++;
          if (JSON.stringify(answer) !== (await whole.lab.answer(path, NOW))) seen.changed++;
        }
      } finally {
        await ended.close();
      }
    }),
    { numRuns: cases(10, 2), endOnFailure: true },
  );
  expect(seen.data).toBeGreaterThan(0);
  expect(seen.changed).toBeGreaterThan(0);
});

/** Both logs were recorded at another moment than the facts were observed. */
const withoutClock = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value) => (name === 'updated_at' ? undefined : value)));
