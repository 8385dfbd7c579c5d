import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { SECOND, type Sent, status, T0 } from './dispatcher-harness.ts';
import { changesIn, QUIET, quietWorld } from './quiet-world.ts';

const shown = (sent: readonly Sent[]) => sent.map((one) => [(one.at - T0) / SECOND, changesIn(one)]);

describe('quiet', () => {
  it('an outage of the receiver is over: what came meanwhile is one message, and the next one keeps its distance', async () => {
    const downUntil = T0 + 200 * SECOND;
    const { clock, change, dispatch, client, sent } = await quietWorld(({ at }) => status(at < downUntil ? 503 : 200));
    dispatch({ client });
    for (let second = 0; second < 200; second += 20) {
      await change();
      await clock.pass(20 * SECOND);
    }
    await change();
    await clock.pass(10 * SECOND);
    await change();
    await clock.pass(DAY);
    expect(shown(sent.filter(({ at }) => at >= downUntil))).toEqual([
      [210, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
      [240, [12]],
    ]);
  });

  it('the server was killed and starts again: messages of one event that are due together are one', async () => {
    const world = await quietWorld(() => status(200));
    const { clock, change, client, sent } = world;
    const before = world.dispatch({ client: { ...client, close() {} } });
    await change();
    await clock.pass(5 * SECOND);
    await change();
    await before.stop(0);
    await clock.pass(40 * SECOND);
    await change();
    await clock.pass(60 * SECOND);
    expect(shown(sent)).toEqual([[0, [1]]]);
    world.dispatch({ client });
    await clock.pass(DAY);
    expect(shown(sent)).toEqual([
      [0, [1]],
      [105, [2, 3]],
    ]);
  });

  it('a message that was delivered late keeps the next one at its distance', async () => {
    const { clock, change, dispatch, client, sent } = await quietWorld((_sent, number) =>
      status(number === 1 ? 500 : 200),
    );
    dispatch({ client });
    await change();
    await clock.pass(30 * SECOND);
    await change();
    await clock.pass(DAY);
    expect(shown(sent)).toEqual([
      [0, [1]],
      [30, [1]],
      [60, [2]],
    ]);
  });

  it('a message whose answer takes long is not told again by the next one', async () => {
    const slow = { ...status(200), takes: 9 * SECOND };
    const { clock, change, dispatch, client, sent } = await quietWorld(() => slow);
    dispatch({ client });
    await change();
    await clock.pass(1 * SECOND);
    await change();
    await clock.pass(DAY);
    expect(shown(sent)).toEqual([
      [0, [1]],
      [39, [2]],
    ]);
  });

  it('a message that was tried tells in the log that no retry follows when another one says what it said', async () => {
    const downUntil = T0 + 31 * SECOND;
    const { clock, change, dispatch, client, sent, rows, id } = await quietWorld(({ at }) =>
      status(at < downUntil ? 503 : 200),
    );
    dispatch({ client });
    await change();
    await clock.pass(29 * SECOND);
    await change();
    await clock.pass(DAY);
    expect(shown(sent.slice(-1))).toEqual([[60, [1, 2]]]);
    expect((await rows(id)).map(({ success, nextRetryAt }) => [success, nextRetryAt])).toEqual([
      [false, null],
      [false, null],
      [true, null],
    ]);
  });

  it('replays come as they were, since somebody asked for each', async () => {
    const { clock, change, dispatch, client, sent, store, id } = await quietWorld(() => status(200));
    const dispatcher = dispatch({ client });
    for (let n = 0; n < 3; n++) {
      await change();
      await clock.pass(QUIET * SECOND);
    }
    const before = sent.length;
    await store.replay(id, { from: T0 }, clock.now());
    dispatcher.wake();
    await clock.pass(0);
    expect(sent.slice(before).map(changesIn)).toEqual([[1], [2], [3]]);
  });
});
