import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { doAct } from '../../../src/server/mending/do-act.ts';
import type { WantedAct } from '../../../src/web/account/admin/identity-desk.ts';
import { type MendingServer, openMendingServer } from '../../ingest/subjects/mending-server.ts';

const schedule = (source: string, ref: string, startsAt: string, at: string, more: object = {}) => ({
  kind: 'schedule',
  source,
  at,
  ref,
  sport: 'mlb',
  league: 'mlb',
  starts_at: startsAt,
  participants: [
    { role: 'home', name: 'Cubs' },
    { role: 'away', name: 'Reds' },
  ],
  ...more,
});
const score = (source: string, ref: string, at: string, points = '1') => ({
  kind: 'score',
  source,
  at,
  ref,
  status: 'inprogress',
  scores: [{ role: 'home', score: points }],
});
const odds = (ref: string, home: string) => ({
  kind: 'odds',
  source: 'book',
  at: '2026-09-09T10:00:00Z',
  ref,
  match: { sport: 'mlb', league: 'mlb', starts_at: '2026-09-10T18:00:00Z', home, away: 'Reds' },
  bookmaker: 'pinnacle',
  markets: [{ key: 'h2h', outcomes: [{ outcome: 'home', price: -120 }] }],
});
const EARLY = '2026-09-01T00:00:00Z';
const LATER = '2026-09-02T00:00:00Z';
const merge: WantedAct = { action: 'merge', what: 'event', from: 2, into: 1 };

let server: MendingServer;
beforeEach(async () => {
  server = await openMendingServer();
});
afterEach(() => server.close());

/** Acts by the desk: the same tried and done, but for the number of the act. */
async function act(wanted: WantedAct) {
  server.clock.now += 1000;
  const parts = { ...server, preview: (item: any) => server.intake.preview(item), now: () => server.clock.now };
  const desk = { ...parts, intake: server.intake, identities: server.identities };
  const tried = await doAct(desk, wanted, true);
  const done = await doAct(desk, wanted, false);
  expect(tried).toEqual({ ...done, act: null });
  return done;
}
const refused = async (wanted: WantedAct): Promise<string> => {
  const told = await act(wanted).catch((error: Error) => error.message);
  return typeof told === 'string' ? told : 'was done';
};

describe('what the events of an act become', () => {
  const game = 'Reds at Cubs';

  it('is told of a merge whose other schedule was observed last, and tells the wrong start', async () => {
    await server.tell(schedule('league', 'g', '2026-09-10T18:00:00Z', EARLY));
    await server.tell(schedule('radio', 'r', '2026-09-11T02:00:00Z', LATER, { status: 'postponed' }));
    const { becomes, from_becomes } = await act(merge);
    expect(becomes).toEqual({ id: 1, name: game, starts_at: '2026-09-11T02:00:00Z', status: 'postponed' });
    expect(from_becomes).toBeUndefined();
    // The right source tells it again.
    await server.tell(schedule('league', 'g', '2026-09-10T18:00:00Z', '2026-09-03T00:00:00Z'));
    expect(await server.document('events', 1)).toMatchObject({
      event: { schedule: { starts_at: '2026-09-10T18:00:00Z' } },
    });
  });

  it('is not told where the event stays as it is', async () => {
    await server.tell(schedule('radio', 'r', '2026-09-10T18:00:00Z', LATER));
    await server.tell(schedule('league', 'g', '2026-09-11T02:00:00Z', EARLY));
    expect(await act(merge)).not.toHaveProperty('becomes');
  });

  it('is told of both where a merge is taken back', async () => {
    await server.tell(schedule('league', 'g', '2026-09-10T18:00:00Z', EARLY));
    await server.tell(schedule('radio', 'r', '2026-09-11T02:00:00Z', LATER));
    await act(merge);
    expect(await act({ action: 'undo', act: 1 })).toMatchObject({
      becomes: { id: 1, starts_at: '2026-09-10T18:00:00Z' },
      from_becomes: { id: 2, starts_at: '2026-09-11T02:00:00Z' },
    });
  });

  it('is told of a split, of the event that gets the ref and of the one that loses it', async () => {
    await server.tell(schedule('league', 'g1', '2026-09-10T18:00:00Z', EARLY));
    await server.tell(schedule('league', 'g2', '2026-09-10T23:00:00Z', EARLY));
    await server.tell(schedule('wire', 'w2', '2026-09-10T18:30:00Z', LATER));
    const wanted: WantedAct = { action: 'split', what: 'event', source_ref: { source: 'wire', ref: 'w2' }, into: 2 };
    expect(await act(wanted)).toMatchObject({
      becomes: { id: 2, starts_at: '2026-09-10T18:30:00Z' },
      from_becomes: { id: 1, starts_at: '2026-09-10T18:00:00Z' },
    });
  });

  it('is told of an event of its own that a split makes', async () => {
    await server.tell(schedule('league', 'g1', '2026-09-10T18:00:00Z', EARLY));
    await server.tell(schedule('wire', 'w2', '2026-09-10T18:00:00Z', LATER));
    const { into, becomes } = await act({
      action: 'split',
      what: 'event',
      source_ref: { source: 'wire', ref: 'w2' },
    });
    expect(into).toBe(2);
    expect(becomes).toEqual({ id: into, name: game, starts_at: '2026-09-10T18:00:00Z', status: 'scheduled' });
  });
});

describe('the records that an act moves', () => {
  it('are those that wait for the name of an alias, and none when it is taken back', async () => {
    await server.tell(schedule('league', 'g', '2026-09-10T18:00:00Z', EARLY));
    await server.tell(odds('a', 'Cubbies'), odds('b', 'Cubbies'), odds('c', 'Bears'));
    const alias: WantedAct = { action: 'alias', what: 'team', id: 1, name: 'Cubbies' };
    expect((await act(alias)).moved).toEqual({ records: 2, refs: 0 });
    expect((await act({ action: 'undo', act: 1 })).moved).toEqual({ records: 0, refs: 0 });
    await server.tell(odds('d', 'Cubbies'));
    expect((await act({ action: 'undo', act: 2 })).moved).toEqual({ records: 1, refs: 0 });
  });

  it('are those that go back when a merge is undone, with what was told meanwhile', async () => {
    await server.tell(schedule('league', 'g', '2026-09-10T18:00:00Z', EARLY));
    await server.tell(schedule('radio', 'r', '2026-09-11T02:00:00Z', EARLY));
    await server.tell(score('radio', 'r', '2026-09-10T19:00:00Z'));
    expect((await act(merge)).moved).toEqual({ records: 2, refs: 1 });
    await server.tell(
      score('radio', 'r', '2026-09-10T19:10:00Z', '2'),
      score('league', 'g', '2026-09-10T19:20:00Z', '3'),
    );
    expect((await act({ action: 'undo', act: 1 })).moved).toEqual({ records: 3, refs: 1 });
    expect((await act({ action: 'undo', act: 2 })).moved).toEqual({ records: 3, refs: 1 });
  });
});

describe('a bind that released messages', () => {
  it('names the way back when it cannot be taken back: a split of the ref, which does it', async () => {
    await server.tell(schedule('league', 'g1', '2026-09-10T17:00:00Z', EARLY));
    await server.tell(schedule('league', 'g2', '2026-09-10T23:00:00Z', EARLY));
    await server.tell(score('book', '77', '2026-09-10T19:00:00Z'));
    const source_ref = { source: 'book', ref: '77' };
    await act({ action: 'bind', what: 'event', source_ref, into: 2 });
    const told = await refused({ action: 'undo', act: 1 });
    expect(told).toContain('has_records');
    expect(told).toContain('what the bind itself released');
    expect(told).toContain('split event book:77 --into ID');
    expect((await act({ action: 'split', what: 'event', source_ref, into: 1 })).moved).toEqual({ records: 2, refs: 1 });
  });

  it('is not taken back once something was told of the event that its event was merged into', async () => {
    await server.tell(schedule('league', 'g1', '2026-09-10T17:00:00Z', EARLY));
    await server.tell(schedule('radio', 'r', '2026-09-11T02:00:00Z', EARLY));
    await act({ action: 'bind', what: 'event', source_ref: { source: 'book', ref: '77' }, into: 2 });
    await act(merge);
    await server.tell(score('book', '77', '2026-09-10T19:00:00Z'));
    expect(await refused({ action: 'undo', act: 1 })).toContain('has_records');
    expect(await server.identities.findEvent('book', '77')).toMatchObject({ id: 1 });
  });

  it('is not taken back once its ref was split off: another act stands on it', async () => {
    await server.tell(schedule('league', 'g1', '2026-09-10T17:00:00Z', EARLY));
    await server.tell(schedule('league', 'g2', '2026-09-10T23:00:00Z', EARLY));
    await server.tell(score('book', '77', '2026-09-10T19:00:00Z'));
    const source_ref = { source: 'book', ref: '77' };
    await act({ action: 'bind', what: 'event', source_ref, into: 2 });
    await act({ action: 'split', what: 'event', source_ref, into: 1 });
    expect(await refused({ action: 'undo', act: 1 })).toContain('stands_on');
    expect(await server.identities.findEvent('book', '77')).toMatchObject({ id: 1 });
  });
});
