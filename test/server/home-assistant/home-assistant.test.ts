import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { openHomeAssistant } from '../../../src/server/home-assistant/home-assistant.ts';

const HOUR = 3_600_000;
const BEGIN = Date.parse('2026-01-10T20:00:00Z');
const TEAM = 7;

const gameOf = (id: number, startsAt: number, status: string) =>
  ({
    id,
    event: {
      status,
      sides: [{ score: '20' }, { score: '17' }],
      schedule: {
        sport: 'nfl',
        league: 'nfl',
        starts_at: new Date(startsAt).toISOString(),
        participants: [
          { role: 'home', name: 'Kansas City Chiefs', team_id: TEAM },
          { role: 'away', name: 'Buffalo Bills', team_id: 8 },
        ],
      },
    },
  }) as unknown as EventDocument;

describe('a favourite team on a broker', () => {
  it('given a game that ended, when half a day has passed without a message, then the next game is shown', async () => {
    let now = BEGIN + 3 * HOUR;
    let tick = (): void => {};
    const states: { event_id: number }[] = [];
    const client = Object.assign(new EventEmitter(), {
      connected: true,
      publish(topic: string, payload: string, _: object, done: () => void) {
        if (topic.endsWith('/state')) states.push(JSON.parse(payload));
        done();
      },
      publishAsync: async () => {},
      endAsync: async () => {},
    });
    const games = [gameOf(1, BEGIN, 'final'), gameOf(2, BEGIN + 100 * HOUR, 'scheduled')];
    const home = openHomeAssistant({
      settings: { url: 'mqtt://broker', teams: [{ sport: 'nfl', name: 'Kansas City Chiefs' }] },
      connect: (() => client) as never,
      store: { find: async () => games.map((document) => ({ document })), get: async () => undefined } as never,
      identities: { findByName: async () => [TEAM] } as never,
      changes: { subscribe: () => ({ unsubscribe: () => {} }) } as never,
      version: '1',
      url: 'http://localhost',
      now: () => now,
      setTimer: (run) => {
        tick = run;
        return () => {};
      },
      warn: (text) => expect.fail(text),
    });
    await home.start();
    await expect.poll(() => states.at(-1)?.event_id).toBe(1);
    now = BEGIN + 13 * HOUR;
    tick();
    await expect.poll(() => states.at(-1)?.event_id).toBe(2);
    expect(states).toHaveLength(2);
    await home.close();
  });
});
