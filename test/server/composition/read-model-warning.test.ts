import { describe, expect, it } from 'vitest';
import { toPosition } from '../../../src/domain/event-sourcing/position.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import type { FollowerStatus } from '../../../src/event-log/subscription/follow-record-feed.ts';
import { readReadModelStatuses } from '../../../src/server/composition/read-model-status.ts';
import { createReadModelWarning } from '../../../src/server/composition/read-model-warning.ts';

const TIME = Date.parse('2026-03-01T12:00:00Z');
const live = (name: string, position: bigint): FollowerStatus => ({
  name,
  position: toPosition(position),
  state: 'live',
});

/** A log of three records, of which the projection has everything. */
async function given() {
  const log = createMemoryLog({ now: () => TIME });
  for (let n = 0; n < 3; n++)
    await log.append(
      `key-${n}`,
      [{ type: 'KeyCreated', version: 1, data: {}, meta: { partition: 'key' } } as never],
      'any',
    );
  const head = (await log.head())!;
  const followers = { publisher: live('intelligence', head), forecasts: live('forecasts', head) };
  const steady = { ms: 0 };
  const own = { version: 1, state: 'live' as const, position: head, lag_events: 0, lag_seconds: 0 };
  const warning = createReadModelWarning({
    log,
    now: () => steady.ms,
    setTimer: () => () => {},
    readStatuses: () =>
      readReadModelStatuses({
        log,
        runner: {
          status: () => [
            { name: 'events', ...own },
            { name: 'intelligence', ...own },
          ],
        },
        publisher: () => followers.publisher,
        forecasts: () => followers.forecasts,
      }),
  });
  const look = async (ms: number) => {
    steady.ms = ms;
    return warning.look();
  };
  return { head, followers, look, close: () => warning.close() };
}

describe('health', () => {
  it('lists forecasts as it lists a projection, without a lag when all is learned', async () => {
    const { head, look, close } = await given();
    const { statuses, isBehind } = await look(0);
    expect(isBehind).toBe(false);
    expect(statuses.map(({ name }) => name)).toEqual(['events', 'intelligence', 'forecasts']);
    expect(statuses.at(-1)).toMatchObject({ position: head, lag_events: 0, lag_seconds: 0 });
    close();
  });

  for (const name of ['publisher', 'forecasts'] as const) {
    it(`is degraded when what the ${name} does stands behind for 60 s, and well again when it moves`, async () => {
      const { head, followers, look, close } = await given();
      followers[name] = { ...followers[name], position: toPosition(head - 2n) };
      expect((await look(0)).isBehind).toBe(false);
      expect((await look(59_000)).isBehind).toBe(false);
      const { statuses, isBehind } = await look(60_000);
      expect(isBehind).toBe(true);
      const behind = statuses.find((one) => one.name === followers[name].name);
      expect(behind).toMatchObject({ position: head - 2n, lag_events: 2 });
      followers[name] = { ...followers[name], position: toPosition(head - 1n) };
      expect((await look(61_000)).isBehind).toBe(false);
      close();
    });

    it(`is degraded at once when what the ${name} does has stopped`, async () => {
      const { followers, look, close } = await given();
      followers[name] = { ...followers[name], state: 'stopped' };
      expect((await look(0)).isBehind).toBe(true);
      close();
    });
  }
});
