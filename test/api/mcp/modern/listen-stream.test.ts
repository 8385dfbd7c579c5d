import { describe, expect, it } from 'vitest';
import { createListenStream } from '../../../../src/api/mcp/modern/listen-stream.ts';
import { createTimers } from '../../streams/timers.ts';

/** A stream into a sink that writes down what it gets, and is full when it is told to be. */
function opened(uris: readonly string[]) {
  const timers = createTimers();
  const got: any[] = [];
  const state = { full: false };
  const stream = createListenStream({
    id: 7,
    uris,
    serverInfo: { name: 'test' },
    retryMs: 3000,
    now: timers.now,
    setTimer: timers.setTimer,
    onEnd() {},
    sink: {
      unread: 0,
      write(bytes) {
        const text = bytes.toString();
        const data = /data: (.*)/.exec(text)?.[1];
        got.push(data === undefined ? text.trim() : JSON.parse(data));
        return !state.full;
      },
      end: () => void got.push('end'),
      cut: () => void got.push('cut'),
    },
  });
  stream.begin();
  return { stream, timers, state, take: () => got.splice(0) };
}

const told = (messages: readonly any[]) => messages.map((one) => one.params?.uri ?? one.method ?? one.result ?? one);

describe('a stream of subscriptions/listen', () => {
  it('is kept open by comments, and ends with the result after 300 seconds', () => {
    const { timers, take } = opened(['a']);
    expect(told(take()).slice(1)).toEqual(['notifications/subscriptions/acknowledged']);
    timers.advance(16_000);
    expect(take()).toEqual([': keep-alive']);
    timers.advance(290_000);
    const [result, end] = take().slice(-2);
    expect(result).toMatchObject({ id: 7, result: { resultType: 'complete' } });
    expect(end).toBe('end');
  });

  it('tells a reader that lags of each address once, however often it changed', () => {
    const { stream, state, take } = opened(['a', 'b']);
    take();
    state.full = true;
    stream.changed('a');
    for (let count = 0; count < 5; count++) {
      stream.changed('a');
      stream.changed('b');
    }
    expect(told(take())).toEqual(['a']);
    state.full = false;
    stream.drained();
    expect(told(take())).toEqual(['a', 'b']);
  });

  it('says nothing more once it has ended', () => {
    const { stream, take } = opened(['a']);
    stream.shutDown();
    take();
    stream.changed('a');
    stream.shutDown();
    expect(take()).toEqual([]);
  });
});
