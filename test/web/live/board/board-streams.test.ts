import { describe, expect, it } from 'vitest';
import { sseMessage } from '../../../../src/api/streams/sse-messages.ts';
import { createPageStream } from '../../../../src/web/live/board/board-streams.ts';
import { createTimers } from '../../../api/streams/timers.ts';

/** A stream into a sink that writes down what it gets, and is full when it is told to be. */
function opened() {
  const timers = createTimers();
  const got: string[] = [];
  const state = { full: false, ends: 0 };
  const newest = new Map<number, string>();
  const stream = createPageStream({
    messageOf: (id) => sseMessage('board', newest.get(id)),
    retryMs: 3000,
    now: timers.now,
    setTimer: timers.setTimer,
    onEnd: () => state.ends++,
    sink: {
      unread: 0,
      write(bytes) {
        const text = bytes.toString();
        const data = /data: (.*)/.exec(text)?.[1];
        got.push(data === undefined ? text.trim() : `${/event: (.*)/.exec(text)![1]} ${data.replaceAll('"', '')}`);
        return !state.full;
      },
      end: () => void got.push('end'),
      cut: () => void got.push('cut'),
    },
  });
  stream.begin({ generated_at: 'now', date: 'today' });
  const change = (id: number, text: string) => {
    newest.set(id, text);
    stream.changed([id]);
  };
  return { stream, timers, state, change, take: () => got.splice(0) };
}

describe('the stream of a page', () => {
  it('begins with the retry hint and a greeting, then tells each change', () => {
    const { change, take } = opened();
    change(1, 'a');
    change(1, 'b');
    expect(take()).toEqual(['retry: 3000', 'hello {generated_at:now,date:today}', 'board a', 'board b']);
  });

  it('keeps alive 15 s after the last bytes, and asks to come back after 5 minutes', () => {
    const { timers, state, change, take } = opened();
    take();
    timers.advance(14_999);
    change(1, 'a');
    timers.advance(14_999);
    expect(take()).toEqual(['board a']);
    timers.advance(1);
    expect(take()).toEqual([': keep-alive']);
    timers.advance(300_000);
    expect(take().slice(-2)).toEqual(['reconnect {reason:max_stream_duration}', 'end']);
    expect(state.ends).toBe(1);
  });

  it('asks to come back when the server stops', () => {
    const { stream, take } = opened();
    take();
    stream.shutDown();
    expect(take()).toEqual(['reconnect {reason:server_shutdown}', 'end']);
  });

  it('gives a slow reader the newest of each event once, and no more than it takes', () => {
    const { stream, state, change, take } = opened();
    state.full = true;
    change(1, 'a1');
    take();
    for (let n = 0; n < 1000; n++) {
      change(1, `a${n}`);
      change(2, `b${n}`);
    }
    stream.changed([1, 2, 3]);
    expect(take()).toEqual([]);
    // It takes one message, and is full again.
    stream.drained();
    expect(take()).toEqual(['board a999']);
    change(2, 'b-last');
    state.full = false;
    stream.drained();
    expect(take().slice(0, 1)).toEqual(['board b-last']);
    change(1, 'c');
    expect(take()).toEqual(['board c']);
  });

  it('cuts a reader that takes nothing for 30 s', () => {
    const { state, timers, change, take } = opened();
    state.full = true;
    change(1, 'a');
    timers.advance(29_999);
    take();
    timers.advance(1);
    expect(take()).toEqual(['cut']);
    change(1, 'b');
    timers.advance(1_000_000);
    expect([take(), state.ends, timers.size]).toEqual([[], 1, 0]);
  });
});
