import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import type { ClockEvidence, ClockReading } from '../../../src/platform/clock/check-clock.ts';
import { createClockMarkerFile } from '../../../src/platform/clock/clock-marker-file.ts';
import { type ClockWatchParts, watchClock } from '../../../src/platform/clock/clock-watch.ts';
import { createServerClock } from '../../../src/platform/clock/server-clock.ts';
import { createTimers } from '../../api/streams/timers.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

/** A clock that is set by hand, on a machine that has run for an hour. */
function newClock(evidence: Partial<ClockEvidence> = {}) {
  const wall = { time: NOW, uptime: HOUR, asked: 0 };
  const warnings: string[] = [];
  const clock = createServerClock({
    marker: null,
    lastRecordedAt: NOW - HOUR,
    ...evidence,
    now: () => wall.time,
    bootClock: {
      bootId: 'boot',
      uptime() {
        wall.asked++;
        return wall.uptime;
      },
    },
    logger: { warn: (_, message) => void warnings.push(message) },
  });
  const pass = (milliseconds: number) => {
    wall.time += milliseconds;
    wall.uptime += milliseconds;
  };
  return { clock, wall, warnings, pass };
}
const doubtedAtStart = { lastRecordedAt: NOW - 40 * DAY };

describe('money', () => {
  const ofAnotherBoot = (time: number): ClockReading => ({ time, uptime: 1000 * HOUR, bootId: 'another' });

  it('given another boot and a clock 20 days ahead of the mark, then records go on and no money is taken until it is right', () => {
    const marker = ofAnotherBoot(NOW - 20 * DAY);
    const { clock, wall } = newClock({ marker, lastRecordedAt: NOW - 20 * DAY });
    expect([clock.isOpen, clock.moneyGate.isOpen]).toEqual([true, false]);
    expect(() => clock.moneyGate.assertOpen()).toThrow('ACCEPT_CLOCK=2026-11-22T12:00:00Z');
    expect(clock.currentMarker()).toEqual(marker);
    wall.time -= 20 * DAY;
    expect([clock.moneyGate.isOpen, clock.currentMarker()?.time]).toEqual([true, NOW - 20 * DAY]);
    clock.moneyGate.assertOpen();
    wall.time += 20 * DAY;
    expect(clock.moneyGate.isOpen).toBe(false);
  });

  it('given a start after that, then records of the wrong time confirm nothing; ACCEPT_CLOCK does, and the next start knows', () => {
    for (const marker of [ofAnotherBoot(NOW - 20 * DAY), null]) {
      const first = newClock({ marker, lastRecordedAt: NOW - 20 * DAY }).clock;
      const kept = first.currentMarker()!;
      const again = newClock({ marker: kept, lastRecordedAt: NOW });
      again.pass(MINUTE);
      expect([again.clock.isOpen, again.clock.moneyGate.isOpen]).toEqual([true, false]);
      const accepted = newClock({ marker: kept, lastRecordedAt: NOW, acceptClock: NOW }).clock;
      expect(accepted.moneyGate.isOpen).toBe(true);
      expect(accepted.currentMarker()?.time).toBe(NOW);
      const next = newClock({ marker: accepted.currentMarker()!, lastRecordedAt: NOW }).clock;
      expect(next.moneyGate.isOpen).toBe(true);
    }
  });

  it('given a mark of the last day, of this boot, or nothing to go by, then money is taken', () => {
    const lately = ofAnotherBoot(NOW - DAY);
    expect(newClock({ marker: lately, lastRecordedAt: NOW - DAY }).clock.moneyGate.isOpen).toBe(true);
    const before = { time: NOW - 40 * DAY, uptime: 0, bootId: 'boot' };
    const { clock, wall } = newClock({ marker: { ...before, time: NOW - HOUR }, lastRecordedAt: NOW - 20 * DAY });
    expect(clock.moneyGate.isOpen).toBe(true);
    wall.time += DAY;
    expect(clock.moneyGate.isOpen).toBe(false);
    expect(newClock({ lastRecordedAt: null }).clock.moneyGate.isOpen).toBe(true);
  });

  it('given a clock that nobody has confirmed, then the log says so at once and each hour, with the way to confirm it', () => {
    const { clock, pass } = newClock({ marker: ofAnotherBoot(NOW - 2 * DAY), lastRecordedAt: NOW - 2 * DAY });
    const warnings: string[] = [];
    const timers = createTimers();
    const nothing = () => {};
    const watch = watchClock({
      clock,
      file: { write: nothing },
      setTimer: timers.setTimer,
      logger: { info: nothing, error: nothing, warn: (_, message) => void warnings.push(message) },
    });
    expect(warnings).toEqual([expect.stringMatching(/^No money is taken.*ACCEPT_CLOCK=2026-11-22T12:00:00Z$/)]);
    for (let second = 0; second < 3600; second++) {
      pass(1000);
      timers.advance(1000);
    }
    expect(warnings).toHaveLength(2);
    watch.stop();
  });
});

describe('the clock of a server', () => {
  it('follows the monotonic clock after a jump, gives no record a time, and is trusted when it is set right', () => {
    const { clock, wall, pass } = newClock();
    pass(MINUTE);
    wall.time += DAY;
    expect(() => clock.stamp()).toThrow('ACCEPT_CLOCK=2026-11-23T12:01:00Z');
    expect(() => clock.assertOpen()).toThrow('2026-11-22T12:01:00Z');
    pass(MINUTE);
    expect([clock.now(), clock.isOpen, clock.currentMarker()]).toEqual([NOW + 2 * MINUTE, false, undefined]);
    wall.time -= DAY;
    expect([clock.stamp(), clock.isOpen]).toEqual([NOW + 2 * MINUTE, true]);
  });

  it('reads the monotonic clock a few times a second at most, and at every jump', () => {
    const { clock, wall, pass } = newClock();
    wall.asked = 0;
    for (let i = 0; i < 1000; i++) {
      pass(1);
      clock.stamp();
    }
    expect(wall.asked).toBeLessThanOrEqual(4);
    wall.time += 5 * MINUTE + 1;
    expect(clock.doubt).toBeDefined();
  });

  it('doubted at the start runs the waiting work before the gate opens, in order, and retries failures', async () => {
    const { clock, wall } = newClock(doubtedAtStart);
    const done: string[] = [];
    let fails = true;
    await clock.whenTrusted(async () => void done.push('first'));
    await clock.whenTrusted(async () => {
      if (fails) throw new Error('not yet');
      expect(clock.isOpen).toBe(false);
      done.push('second');
    });
    await clock.runWaiting();
    expect(done).toEqual([]);
    wall.time = NOW - 39 * DAY;
    expect(() => clock.assertOpen()).toThrow('getting ready');
    await expect(clock.runWaiting()).rejects.toThrow('not yet');
    expect([done, clock.isOpen]).toEqual([['first'], false]);
    fails = false;
    await clock.runWaiting();
    expect([done, clock.isOpen]).toEqual([['first', 'second'], true]);
  });

  it('trusted at the start runs the work at once', async () => {
    const { clock } = newClock();
    let isDone = false;
    await clock.whenTrusted(async () => {
      isDone = true;
    });
    expect(isDone).toBe(true);
  });

  it('logs once at the start that it was accepted, or that nothing proves it', () => {
    expect(newClock({ ...doubtedAtStart, acceptClock: NOW + HOUR }).warnings).toEqual([
      'the clock is taken as it is, as ACCEPT_CLOCK says',
    ]);
    const rested = newClock({ lastRecordedAt: NOW - 2 * DAY });
    rested.pass(HOUR);
    expect(rested.clock.isOpen).toBe(true);
    expect(rested.warnings).toEqual([
      'the clock is more than a day ahead of the last record, and nothing tells whether it is right',
    ]);
    expect(newClock().warnings).toEqual([]);
  });

  it('a time that the operator accepted counts at the start only', () => {
    const { clock, wall } = newClock({ ...doubtedAtStart, acceptClock: NOW + 2 * HOUR });
    expect(clock.isOpen).toBe(false);
    wall.time += 2 * HOUR;
    expect(clock.isOpen).toBe(false);
  });

  it('notifies when it was set back', () => {
    const { clock, wall } = newClock();
    let times = 0;
    clock.onSetBack(() => void times++);
    wall.time -= 4 * MINUTE;
    clock.now();
    expect(times).toBe(0);
    wall.time -= DAY;
    clock.now();
    clock.now();
    expect(times).toBe(1);
  });
});

describe('the watch', () => {
  function newWatch(evidence: Partial<ClockEvidence> = {}, file?: ClockWatchParts['file']) {
    const world = newClock(evidence);
    const timers = createTimers();
    const lines: (readonly [level: string, text: string])[] = [];
    const marks: ClockReading[] = [];
    const tell = (level: string) => (_: unknown, message: string) => void lines.push([level, message]);
    const watch = watchClock({
      clock: world.clock,
      file: file ?? { write: (mark) => void marks.push(mark) },
      setTimer: timers.setTimer,
      logger: { info: tell('info'), warn: tell('warn'), error: tell('error') },
    });
    return {
      ...world,
      watch,
      lines,
      marks,
      timers,
      pass(seconds: number) {
        for (let i = 0; i < seconds; i++) {
          world.pass(1000);
          timers.advance(1000);
        }
      },
    };
  }

  it('writes a marker each minute and at the stop, while the clock is trusted', () => {
    const { pass, marks, wall, watch, timers } = newWatch();
    pass(120);
    expect(marks.map(({ time }) => (time - NOW) / MINUTE)).toEqual([0, 1, 2]);
    expect(marks[1]).toEqual({ time: NOW + MINUTE, uptime: HOUR + MINUTE, bootId: 'boot' });
    wall.time += DAY;
    pass(120);
    watch.stop();
    expect(marks).toHaveLength(3);
    wall.time -= DAY;
    watch.stop();
    expect(marks.at(-1)!.time).toBe(NOW + 4 * MINUTE);
    expect(timers.size).toBe(0);
  });

  it('logs a doubt at once and each minute, with both times and ACCEPT_CLOCK, and its end once', () => {
    const { pass, lines, wall } = newWatch();
    wall.time += DAY;
    pass(1);
    expect(lines).toEqual([['error', expect.stringContaining('2026-11-23T12:00:01Z')]]);
    expect(lines[0]![1]).toContain('2026-11-22T12:00:01Z');
    expect(lines[0]![1]).toContain('ACCEPT_CLOCK=');
    pass(120);
    expect(lines.map(([level]) => level)).toEqual(['error', 'error', 'error']);
    wall.time -= DAY;
    pass(60);
    expect(lines.slice(3)).toEqual([['info', 'the clock is believed again: all goes on']]);
  });

  it('runs the waiting work within a second', async () => {
    const { clock, wall, pass } = newWatch(doubtedAtStart);
    let isDone = false;
    await clock.whenTrusted(async () => {
      isDone = true;
    });
    pass(3);
    expect(isDone).toBe(false);
    wall.time = NOW - 39 * DAY;
    pass(1);
    await turn();
    expect([isDone, clock.isOpen]).toEqual([true, true]);
  });

  it('logs that the log is ahead, and when the clock has caught up', () => {
    const { pass, lines } = newWatch({ lastRecordedAt: NOW + 6 * MINUTE });
    pass(30);
    expect(lines.map(([level]) => level)).toEqual(['warn']);
    pass(60);
    expect(lines.slice(1)).toEqual([['info', 'the clock has caught up with the log']]);
  });

  it('logs once that a marker cannot be written, and continues', () => {
    const { pass, lines } = newWatch(
      {},
      {
        write() {
          throw new Error('no room');
        },
      },
    );
    pass(300);
    expect(lines).toEqual([['warn', 'the mark of the clock could not be kept']]);
  });
});

describe('the marker file', () => {
  const folder = temporaryFolder();

  it('is stored unchanged, for its owner only', () => {
    const path = folder.path('clock.json');
    const file = createClockMarkerFile(path);
    expect(file.read()).toBeNull();
    file.write({ time: NOW, uptime: 1234.5, bootId: 'boot' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      time: '2026-11-22T12:00:00Z',
      boot_id: 'boot',
      uptime: 1.2345,
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(file.read()).toEqual({ time: NOW, uptime: 1234.5, bootId: 'boot' });
    file.write({ time: NOW, uptime: 1, bootId: null });
    expect(file.read()!.bootId).toBeNull();
  });

  it.each(['', '{', '[]', '{"time":"yesterday","boot_id":null,"uptime":1}', '{"time":"2026-11-22T12:00:00Z"}'])(
    'that is damaged counts as none: %j',
    (text) => {
      const path = folder.path('damaged.json');
      writeFileSync(path, text);
      expect(createClockMarkerFile(path).read()).toBeNull();
    },
  );

  it('creates no folder', () => {
    mkdirSync(folder.path('there'));
    expect(() =>
      createClockMarkerFile(folder.path('gone/clock.json')).write({ time: NOW, uptime: 1, bootId: null }),
    ).toThrow();
    expect(existsSync(folder.path('gone'))).toBe(false);
  });
});
