import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ended, reportOf, run, startServer, temporaryFolder } from './launching.ts';

const mlb = { sport: 'mlb', league: 'mlb' };
const schedule = (ref: string, time: string) => ({
  kind: 'schedule',
  source: 'league',
  at: '2026-07-01T00:00:00Z',
  ref,
  ...mlb,
  starts_at: `2026-07-04T${time}:00Z`,
  participants: [
    { role: 'home', name: 'Chicago Cubs' },
    { role: 'away', name: 'Cincinnati Reds' },
  ],
});
const odds = (ref: string, minute: number, home = 'Chicago Cubs') => ({
  kind: 'odds',
  source: 'book',
  at: `2026-07-04T12:${String(minute).padStart(2, '0')}:00Z`,
  ref,
  match: { ...mlb, starts_at: '2026-07-04T17:50:00Z', home, away: 'Cincinnati Reds' },
  bookmaker: 'draftkings',
  markets: [{ key: 'h2h', outcomes: [{ outcome: 'home', price: -110 - minute }] }],
});
const told = [
  schedule('g1', '17:20'),
  schedule('g2', '18:20'),
  odds('77', 1),
  odds('77', 2),
  odds('80', 3, 'Chicago Nationals'),
];

const rowsOf = ({ stdout }: Ended) => stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

/** A folder to which the messages were told. */
async function toldFolder(): Promise<string> {
  const folder = temporaryFolder();
  const file = join(folder, 'told.ndjson');
  writeFileSync(file, told.map((message) => `${JSON.stringify(message)}\n`).join(''));
  const data = join(folder, 'data');
  expect((await run(['ingest', '--data-dir', data, file])).code).toBe(0);
  return data;
}
const identitiesIn =
  (folder: string) =>
  (...args: readonly string[]) =>
    run(['identities', ...args, '--data-dir', folder]);

async function mend(identities: ReturnType<typeof identitiesIn>): Promise<void> {
  const waiting = rowsOf(await identities('waiting', '--source', 'book'));
  expect(waiting).toMatchObject([
    {
      id: 'book event|book|77',
      source: 'book',
      ref: '77',
      reason: 'ambiguous',
      kinds: { odds: 2 },
      count: 2,
      league: 'mlb',
      match: { home: 'Chicago Cubs' },
      candidates: [
        { event_id: 1, starts_at: '2026-07-04T17:20:00Z', minutes_apart: 30 },
        { event_id: 2, starts_at: '2026-07-04T18:20:00Z', minutes_apart: 30 },
      ],
      suggestion: null,
    },
    { ref: '80', reason: 'unknown_team', candidates: [], suggestion: null },
  ]);
  expect(rowsOf(await identities('waiting', '--reason', 'unknown_team'))).toHaveLength(1);
  expect(rowsOf(await identities('waiting', '--league', 'nba'))).toEqual([]);

  const target = { id: 2, name: 'Cincinnati Reds at Chicago Cubs', starts_at: '2026-07-04T18:20:00Z', league: 'mlb' };
  const bound = { action: 'bind', what: 'event', from: 'book:77', into: 2, moved: { records: 2, refs: 1 }, target };
  expect(rowsOf(await identities('bind', 'book:77', '2', '--dry-run'))).toEqual([{ act: null, ...bound }]);
  expect(rowsOf(await identities('waiting'))).toHaveLength(2);
  expect(rowsOf(await identities('bind', 'book:77', '2', '--note', 'the second'))).toEqual([{ act: 1, ...bound }]);
  expect(rowsOf(await identities('bind', 'book:77', '2'))).toMatchObject([{ act: null, from: 'book:77', target }]);

  const named = { action: 'alias', what: 'team', from: 'Chicago Nationals', into: 1 };
  expect(rowsOf(await identities('dismiss', 'book:80'))).toMatchObject([{ act: 2, moved: { records: 1, refs: 0 } }]);
  expect(rowsOf(await identities('waiting'))).toEqual([]);
  expect(rowsOf(await identities('undo', '2'))).toMatchObject([{ act: 3, action: 'undo', from: 'book:80' }]);
  expect(rowsOf(await identities('alias', 'team', '1', 'Chicago Nationals'))).toMatchObject([
    { act: 4, ...named, target: { id: 1, name: 'Chicago Cubs', starts_at: null, league: 'mlb' } },
  ]);
  // The source has another ref for the second game, so this one is the first.
  expect(rowsOf(await identities('waiting'))).toEqual([]);

  const history = rowsOf(await identities('history'));
  expect(history.map(({ act, undone_by, note }) => [act, undone_by, note])).toEqual([
    [4, null, null],
    [3, null, null],
    [2, 3, null],
    [1, null, 'the second'],
  ]);
  expect(history.map((row) => row.target?.name)).toEqual(['Chicago Cubs', undefined, undefined, target.name]);
  expect(history.every(({ by, at }) => typeof by === 'string' && typeof at === 'string')).toBe(true);
  const [shown] = rowsOf(await identities('show', 'team', '1'));
  expect(shown).toMatchObject({ names: ['Chicago Cubs', 'Chicago Nationals'], acts: [{ act: 4 }] });

  for (const [args, code] of [
    [['bind', 'book:77', '1'], 'already_bound'],
    [['bind', 'book:9', '99'], 'not_found'],
    [['dismiss', 'book:9'], 'not_found'],
    [['alias', 'team', '1', 'Cincinnati Reds'], 'name_taken'],
    [['undo', '1'], 'has_records'],
    [['undo', '9'], 'not_found'],
  ] as const) {
    const refused = await identities(...args);
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, '', expect.stringContaining(`${code}: `)]);
  }
}

describe('the identities command', () => {
  it('mends without a server', async () => {
    await mend(identitiesIn(await toldFolder()));
  });

  it('mends beside a server, and lists what is probably double', async () => {
    const folder = await toldFolder();
    const server = await startServer(folder);
    const identities = identitiesIn(folder);
    await mend(identities);
    const again = { ...schedule('r1', '17:25'), source: 'radio', starts_at: '2026-07-05T10:00:00Z' };
    const input = `${JSON.stringify(again)}\n`;
    expect(reportOf(await run(['ingest', '--data-dir', folder, '-'], { input }))).toMatchObject({ accepted: 1 });
    await expect
      .poll(async () => rowsOf(await identities('duplicates', '--league', 'mlb')).map(({ a, b }) => [a.id, b.id]))
      .toEqual([
        [2, 3],
        [1, 3],
      ]);
    server.child.kill();
    await server.ended;
  });

  it('merges two events that are one, and undoes it, with a trial before', async () => {
    const folder = await toldFolder();
    const identities = identitiesIn(folder);
    const again = { ...schedule('r1', '17:25'), source: 'radio', starts_at: '2026-07-05T10:00:00Z' };
    const input = `${JSON.stringify(again)}\n`;
    expect(reportOf(await run(['ingest', '--data-dir', folder, '-'], { input }))).toMatchObject({ accepted: 1 });
    // Nobody told a later schedule: that of the radio is the one observed last, by its place in the log.
    const becomes = { id: 1, name: 'Cincinnati Reds at Chicago Cubs', starts_at: again.starts_at, status: 'scheduled' };
    const moved = { records: 1, refs: 1 };
    const { name } = becomes;
    const from_target = { id: 3, name, starts_at: again.starts_at, league: 'mlb' };
    const target = { id: 1, name, starts_at: '2026-07-04T17:20:00Z', league: 'mlb' };
    const merged = { act: 1, action: 'merge', what: 'event', from: 3, into: 1, moved, target, from_target, becomes };

    expect(rowsOf(await identities('merge', 'event', '3', '1', '--dry-run'))).toEqual([{ ...merged, act: null }]);
    expect(rowsOf(await identities('merge', 'event', '3', '1', '--note', 'one game'))).toEqual([merged]);
    const again3 = { act: null, action: 'merge', what: 'event', from: 3, into: 1, moved: { records: 0, refs: 0 } };
    expect(rowsOf(await identities('merge', 'event', '3', '1'))).toEqual([
      { ...again3, target: { ...target, starts_at: again.starts_at } },
    ]);
    for (const id of ['1', '3']) {
      const shown = rowsOf(await identities('show', 'event', id));
      expect(shown).toMatchObject([{ id: 1, merged_from: [3], acts: [{ act: 1, action: 'merge', note: 'one game' }] }]);
      expect(shown[0].refs.map(({ source, ref }: any) => `${source}:${ref}`)).toEqual(['league:g1', 'radio:r1']);
    }

    const refusal = await identities('merge', 'event', '1', '1');
    expect([refusal.code, refusal.stderr]).toEqual([1, expect.stringContaining('same')]);
    expect(rowsOf(await identities('undo', '1'))).toMatchObject([{ act: 2, action: 'undo', from: 3, into: 1 }]);
    expect(rowsOf(await identities('show', 'event', '3'))).toMatchObject([{ id: 3, merged_from: [] }]);
  });

  it('splits off what a source calls by the wrong ref', async () => {
    const folder = await toldFolder();
    const identities = identitiesIn(folder);
    // Another source has the refs of the two games the wrong way round.
    const wrong = { ...schedule('x2', '17:20'), source: 'wrong' };
    const input = `${JSON.stringify(wrong)}\n`;
    expect(reportOf(await run(['ingest', '--data-dir', folder, '-'], { input }))).toMatchObject({ accepted: 1 });
    const [row] = rowsOf(await identities('split', 'event', 'wrong:x2', '--into', '2'));
    expect(row).toMatchObject({
      act: 1,
      action: 'split',
      what: 'event',
      from: 'wrong:x2',
      into: 2,
      moved: { refs: 1 },
    });
    expect(rowsOf(await identities('show', 'event', '1'))[0].acts).toMatchObject([{ act: 1 }]);
    expect(rowsOf(await identities('show', 'event', '2'))[0].refs).toMatchObject([{ ref: 'g2' }, { ref: 'x2' }]);
  });

  it('lists the messages of a group, and what was dismissed, by act', async () => {
    const identities = identitiesIn(await toldFolder());
    const [row, other] = rowsOf(await identities('waiting'));
    expect(row).toMatchObject({ near: [], advice: expect.stringContaining('bind book:77 ID') });
    expect(other.near.map(({ event_id, entry_id }: any) => [event_id, entry_id])).toEqual([
      [1, null],
      [2, null],
      [null, 1],
    ]);
    expect(other).toMatchObject({ names: ['Chicago Nationals'], extra: {}, near: [{ swapped: false }, {}, {}] });
    expect(other.advice).toContain('alias team ID NAME');
    const told = rowsOf(await identities('waiting', '--id', row.id));
    expect(told.map(({ message }) => message)).toEqual([odds('77', 1), odds('77', 2)]);
    expect(told[0]).toMatchObject({ code: 'ambiguous', candidates: [1, 2] });
    const cut = await identities('waiting', '--id', row.id, '--limit', '1');
    expect([rowsOf(cut).length, cut.stderr]).toEqual([1, expect.stringContaining('--limit')]);
    expect((await identities('waiting', '--id', 'book event|book|9')).code).toBe(1);

    expect(rowsOf(await identities('waiting', '--dismissed'))).toEqual([]);
    await identities('dismiss', 'book:77', '--note', 'stale');
    expect(rowsOf(await identities('waiting', '--dismissed'))).toMatchObject([
      { act: 1, from: 'book:77', count: 2, kinds: { odds: 2 }, note: 'stale' },
    ]);
    expect(rowsOf(await identities('waiting', '--dismissed', '--id', '1'))).toHaveLength(2);
    await identities('undo', '1');
    expect(rowsOf(await identities('waiting', '--dismissed'))).toEqual([]);
  });

  it('says of an id that was merged which event it means, in show and in audit', async () => {
    const folder = await toldFolder();
    const identities = identitiesIn(folder);
    const input = `${JSON.stringify({ ...schedule('r1', '17:25'), source: 'radio', starts_at: '2026-07-05T10:00:00Z' })}\n`;
    await run(['ingest', '--data-dir', folder, '-'], { input });
    await identities('merge', 'event', '3', '1');
    const shown = await identities('show', 'event', '3');
    expect(shown.stderr).toContain('event 3 was merged into event 1');
    expect(rowsOf(shown)).toMatchObject([
      { id: 1, asked: 3, sides: [{ name: 'Chicago Cubs' }, {}], acts: [{ act: 1 }] },
    ]);
    expect(rowsOf(await identities('show', 'event', '1'))).toMatchObject([{ id: 1, asked: null }]);
    const audited = await run(['audit', 'event', '3', '--json', '--data-dir', folder]);
    expect(audited.stderr).toContain('event 3 was merged into event 1');
    expect(rowsOf(audited).map(({ type }) => type)).toContain('IdentityActed');
    const other = await run(['audit', 'event', '1', '--json', '--data-dir', folder]);
    expect(other.stderr).not.toContain('merged into');
  });

  it('says how far the read models are behind the log, without a server, and leaves out what was merged', async () => {
    const folder = await toldFolder();
    const identities = identitiesIn(folder);
    expect((await run(['rebuild', '--data-dir', folder])).code).toBe(0);
    const before = await identities('duplicates');
    expect([before.stderr, rowsOf(before)]).toEqual(['', []]);
    const input = `${JSON.stringify({ ...schedule('r1', '17:25'), source: 'radio', starts_at: '2026-07-05T10:00:00Z' })}\n`;
    await run(['ingest', '--data-dir', folder, '-'], { input });
    const stale = await identities('duplicates');
    expect(rowsOf(stale)).toEqual([]);
    expect(stale.stderr).toContain('the read models lack 1 record of the log');
    // What the others print is what the log says.
    expect(rowsOf(await identities('show', 'event', '3'))).toMatchObject([{ id: 3 }]);
    expect((await run(['rebuild', '--data-dir', folder])).code).toBe(0);
    expect(rowsOf(await identities('duplicates'))).toHaveLength(2);
    await identities('merge', 'event', '3', '1');
    const merged = await identities('duplicates');
    expect([rowsOf(merged), merged.stderr]).toEqual([[], expect.stringContaining('the read models lack ')]);
  });

  it.each([
    ['no action', []],
    ['an action that there is not', ['melt']],
    ['a merge without an id', ['merge', 'event', '1']],
    ['a merge of what cannot be', ['merge', 'venue', '1', '2']],
    ['a split into what is no id', ['split', 'event', 'a:x', '--into', 'y']],
    ['a forced bind', ['bind', 'a:x', '1', '--force']],
    ['a ref without a source', ['bind', 'x', '1']],
    ['what is no id', ['bind', 'a:x', 'y']],
    ['an alias of an event', ['alias', 'event', '1', 'x']],
    ['an option of another action', ['history', '--note', 'x']],
    ['a reason that there is not', ['waiting', '--reason', 'nope']],
    ['a league that there is not', ['duplicates', '--league', 'nope']],
    ['messages of a group and of a source', ['waiting', '--id', 'x', '--source', 'book']],
    ['a limit without a group', ['waiting', '--limit', '3']],
    ['a limit that is none', ['waiting', '--id', 'x', '--limit', '0']],
    ['a dismissal that is no act', ['waiting', '--dismissed', '--id', 'x']],
    ['dismissed pairs', ['duplicates', '--dismissed']],
    ['a long note', ['undo', '1', '--note', 'x'.repeat(501)]],
  ])('refuses %s', async (_, args) => {
    const { code, stdout } = await identitiesIn(temporaryFolder())(...args);
    expect([code, stdout]).toEqual([2, '']);
  });
});
