import { describe, expect, it } from 'vitest';
import { createScoreStream } from '../../../src/api/streams/score-stream.ts';
import { sseMessage } from '../../../src/api/streams/sse-messages.ts';
import type { ScoreFrame } from '../../../src/api/streams/watched-event.ts';
import { createTimers } from './timers.ts';

const frame = (fingerprint: string, over = false): ScoreFrame => ({
  eventId: 7,
  bytes: sseMessage('score', fingerprint),
  fingerprint,
  over,
});

/** A stream into a sink that writes down what it gets, and is full when it is told to be. */
function opened(current = frame('a')) {
  const timers = createTimers();
  const got: string[] = [];
  const state = { full: false, ends: 0 };
  const stream = createScoreStream({
    eventId: 7,
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
  stream.begin(current);
  return { stream, timers, state, got, take: () => got.splice(0) };
}

describe('a score stream', () => {
  it('begins with the retry hint and the current score', () => {
    expect(opened().got).toEqual(['retry: 3000', 'score a']);
  });

  it('sends every change to a reader that keeps up', () => {
    const { stream, take } = opened();
    take();
    for (const mark of ['b', 'c', 'a']) stream.changed(frame(mark));
    expect(take()).toEqual(['score b', 'score c', 'score a']);
  });

  it('ends after the score of an event that is over', () => {
    const { stream, state, timers, take } = opened();
    take();
    stream.changed(frame('b', true));
    expect(take()).toEqual(['score b', 'done {event_id:7}', 'end']);
    expect(state.ends).toBe(1);
    stream.changed(frame('c'));
    stream.closed();
    timers.advance(1_000_000);
    expect(take()).toEqual([]);
    expect([state.ends, timers.size]).toEqual([1, 0]);
  });

  it('opened on an event that is over ends at once', () => {
    expect(opened(frame('a', true)).got).toEqual(['retry: 3000', 'score a', 'done {event_id:7}', 'end']);
  });

  it('keeps alive 15 s after the last bytes, not more often', () => {
    const { stream, timers, take } = opened();
    take();
    timers.advance(14_999);
    expect(take()).toEqual([]);
    stream.changed(frame('b'));
    timers.advance(14_999);
    expect(take()).toEqual(['score b']);
    timers.advance(1);
    expect(take()).toEqual([': keep-alive']);
    timers.advance(14_999);
    expect(take()).toEqual([]);
    timers.advance(1);
    expect(take()).toEqual([': keep-alive']);
  });

  it('asks the client to reconnect after 5 minutes', () => {
    const { timers, state, take } = opened();
    timers.advance(299_999);
    take();
    timers.advance(1);
    expect(take().slice(-2)).toEqual(['reconnect {event_id:7,reason:max_stream_duration,max_seconds:300}', 'end']);
    expect(state.ends).toBe(1);
  });

  it('asks the client to reconnect when the server stops', () => {
    const { stream, take } = opened();
    take();
    stream.shutDown();
    stream.shutDown();
    expect(take()).toEqual(['reconnect {event_id:7,reason:server_shutdown,max_seconds:300}', 'end']);
  });

  it('sets nothing going when the client is gone', () => {
    const { stream, state, timers, take } = opened();
    take();
    stream.closed();
    stream.changed(frame('b'));
    stream.drained();
    stream.shutDown();
    timers.advance(1_000_000);
    expect(take()).toEqual([]);
    expect([state.ends, timers.size]).toEqual([1, 0]);
  });
});

describe('a slow reader', () => {
  /** The sink has become full with `b`. */
  function slow() {
    const all = opened();
    all.state.full = true;
    all.stream.changed(frame('b'));
    all.take();
    return all;
  }

  it('gets only the newest of what it missed', () => {
    const { stream, state, take } = slow();
    for (const mark of ['c', 'd', 'e']) stream.changed(frame(mark));
    expect(take()).toEqual([]);
    state.full = false;
    stream.drained();
    stream.changed(frame('f'));
    expect(take()).toEqual(['score e', 'score f']);
  });

  it('gets nothing where all is as it was', () => {
    const { stream, state, take } = slow();
    stream.changed(frame('c'));
    stream.changed(frame('b'));
    state.full = false;
    stream.drained();
    expect(take()).toEqual([]);
  });

  it('that fills up again waits again', () => {
    const { stream, take } = slow();
    stream.changed(frame('c'));
    stream.drained();
    stream.changed(frame('d'));
    expect(take()).toEqual(['score c']);
  });

  it('gets no keep-alive while it is full', () => {
    const { timers, take } = slow();
    timers.advance(29_999);
    expect(take()).toEqual([]);
  });

  it('is cut when it reads nothing for 30 s', () => {
    const { stream, timers, state, take } = slow();
    timers.advance(29_999);
    stream.changed(frame('c'));
    expect(state.ends).toBe(0);
    timers.advance(1);
    expect(take()).toEqual(['cut']);
    expect([state.ends, timers.size]).toEqual([1, 0]);
  });

  it('has 30 s anew after each time that it drained', () => {
    const { stream, timers, take } = slow();
    timers.advance(29_000);
    stream.drained();
    stream.changed(frame('c'));
    timers.advance(29_000);
    expect(take()).toEqual(['score c']);
    timers.advance(1_000);
    expect(take()).toEqual(['cut']);
  });

  it('gets the end when it has drained', () => {
    const { stream, take } = slow();
    stream.changed(frame('c'));
    stream.changed(frame('d', true));
    expect(take()).toEqual([]);
    stream.drained();
    expect(take()).toEqual(['score d', 'done {event_id:7}', 'end']);
  });

  it('gets the newest score before it is asked to reconnect, and is cut when it does not read that', () => {
    const { stream, timers, take } = slow();
    stream.changed(frame('c'));
    stream.shutDown();
    expect(take()).toEqual(['score c', 'reconnect {event_id:7,reason:server_shutdown,max_seconds:300}', 'end']);
    timers.advance(30_000);
    expect(take()).toEqual(['cut']);
    expect(timers.size).toBe(0);
  });

  it('of an event that is over gets the end, and is not asked to reconnect', () => {
    const { stream, take } = slow();
    stream.changed(frame('c', true));
    stream.shutDown();
    expect(take()).toEqual(['score c', 'done {event_id:7}', 'end']);
  });
});
