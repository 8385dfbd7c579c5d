import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ShownAct, ShownWaiting } from '../../../../src/web/account/admin/identity-desk.ts';
import { AT, HOSTILE, servedSite, staffSite } from './staff-pages-harness.ts';

const things = [
  { id: 1, name: 'Cubs – Reds', starts_at: AT, sources: ['a'], score: '3:1 (final)' },
  { id: 2, name: 'Cubs – Reds', starts_at: AT, sources: ['a', 'c'], score: null },
];
const waiting: ShownWaiting = {
  id: 'b event|b|77',
  source: 'b',
  ref: '77',
  what: 'event',
  reason: 'ambiguous',
  text: HOSTILE,
  kinds: { odds: 2, score: 1 },
  count: 3,
  first_at: AT,
  last_at: AT,
  league: 'mlb',
  match: null,
  candidates: [],
  suggestion: 2,
  near: [],
  names: [],
  extra: {},
  advice: 'bind b:77 ID',
  things,
};
const act: ShownAct = {
  act: 5,
  action: 'bind',
  what: 'event',
  from: 'b:77',
  into: 2,
  moved: { records: 3, refs: 1 },
  at: AT,
  by: 'staff 3',
  note: HOSTILE,
  undone_by: null,
};

const { parts, state } = staffSite();
const TRIED = state.tried;
let site: Awaited<ReturnType<typeof servedSite>>;
beforeAll(async () => {
  site = await servedSite(parts);
});
afterAll(() => site.close());
beforeEach(() => {
  state.calls = [];
  state.waiting = [waiting];
  state.duplicates = [];
  state.acts = [act];
  state.next = null;
  state.done = {};
  state.tried = TRIED;
});

/** What was done. */
const done = () => state.calls.filter(([name]) => name === 'act');
const post = (form: Record<string, string>) => site.post('/admin/data/act', form, 'admin');

describe('the tab of what waits', () => {
  it('shows the candidates with their start, sources and score, and buttons that say what moves', async () => {
    const { text } = await site.get('/admin/data', 'admin');
    expect(text).toContain('3:1 (final)');
    expect(text).toContain('of a, c');
    expect(text).toMatch(/3 messages under b:77, and all later ones, go to Cubs – Reds, <time [^<]*<\/time> \(2\)\./);
    expect(text).toMatch(/Bind to Cubs – Reds, <time [^<]*<\/time> \(1\)…/);
    expect(text).toContain('3 messages are given up.');
    expect(text).not.toContain('<script>alert');
  });

  it('has no buttons for support', async () => {
    const { text, status } = await site.get('/admin/data', 'support');
    expect(status).toBe(200);
    expect(text).not.toContain('/admin/data/act');
  });

  it('offers a name where nobody has it', async () => {
    state.waiting = [{ ...waiting, reason: 'unknown_team', things: [] }];
    expect((await site.get('/admin/data', 'admin')).text).toContain('The team is known under one more name.');
  });
});

describe('what waits, message by message', () => {
  const message = (text: string) => ({
    received_at: AT,
    reason: 'r',
    code: 'ambiguous',
    candidates: [],
    waits_for: [],
    message: { kind: 'odds', text },
  });

  it('is shown with its advice, a few of the oldest messages, and where the others are', async () => {
    state.waiting = [{ ...waiting, messages: [message('first'), message(HOSTILE)] }];
    const { text } = await site.get('/admin/data', 'support');
    expect(text).toContain('bind b:77 ID');
    expect(text).toContain('Show 3 messages');
    expect(text).toContain('first');
    expect(text).toContain('The oldest 2 of 3');
    expect(text).not.toContain('<script>alert');
  });

  it('is cut where a message is long', async () => {
    state.waiting = [{ ...waiting, messages: [message('x'.repeat(5000))] }];
    const { text } = await site.get('/admin/data', 'support');
    expect(text).toContain('xxx…');
    expect(text).not.toContain('x'.repeat(2001));
  });

  it('says of a refused one that it was refused, and offers no bind', async () => {
    state.waiting = [{ ...waiting, reason: 'refused', text: 'at: is after the start', things: [] }];
    const { text } = await site.get('/admin/data', 'admin');
    expect(text).toContain('What it waited for is known, and then it was refused: at: is after the start');
    expect(text).not.toContain('name="action" value="bind"');
    expect(text).toContain('name="action" value="dismiss"');
  });

  it('is shown of what was dismissed, beside its undo', async () => {
    state.acts = [{ ...act, action: 'dismiss', messages: [message('given up')] }];
    const { text } = await site.get('/admin/data?tab=acts', 'support');
    expect(text).toContain('given up');
    expect(text).toContain('identities waiting --dismissed --id 5');
  });
});

describe('what events become', () => {
  const merged = { id: 1, name: 'Cubs – Reds', starts_at: '2026-03-01T20:00:00Z', status: 'scheduled' };
  const pair = { what: 'event', a: things[0]!, b: things[1]!, reason: 'the same sides' } as const;

  it('is said in the confirmation of a merge, where it is another start', async () => {
    state.duplicates = [{ ...pair, merged }];
    const { text } = await site.get('/admin/data?tab=duplicates', 'admin');
    expect(text).toMatch(/Event 1 will be Cubs – Reds, <time datetime="2026-03-01T20:00:00/);
    expect(text).toMatch(/Event 2 will be Cubs – Reds, <time datetime="2026-03-01T20:00:00/);
    expect(text).toContain('The schedule that was observed last decides');
  });

  it('is not said where it stays as it is', async () => {
    state.duplicates = [{ ...pair, merged: { ...merged, starts_at: AT } }];
    expect((await site.get('/admin/data?tab=duplicates', 'admin')).text).not.toContain('will be');
  });

  it('is said in the confirmation of an undo', async () => {
    state.acts = [{ ...act, action: 'merge', undoing: { becomes: merged } }];
    expect((await site.get('/admin/data?tab=acts', 'admin')).text).toContain('Event 1 will be Cubs – Reds');
  });
});

it('shows pairs side by side', async () => {
  state.duplicates = [{ what: 'event', a: things[0]!, b: things[1]!, reason: 'the same sides within 36 hours' }];
  const { text } = await site.get('/admin/data?tab=duplicates', 'support');
  expect(text).toContain('the same sides within 36 hours');
  expect(text).toContain('3:1 (final)');
});

describe('the tab of pairs that are probably one', () => {
  const pair = (what: 'event' | 'team') => ({ what, a: things[0]!, b: things[1]!, reason: 'the same sides' });

  it('merges in either direction, and says what moves', async () => {
    state.duplicates = [pair('event')];
    const { text } = await site.get('/admin/data?tab=duplicates', 'admin');
    expect(text).toContain('All that was told of Cubs – Reds (2) by a, c, and all its refs, go to Cubs – Reds (1).');
    expect(text).toContain('All that was told of Cubs – Reds (1) by a, and all its refs, go to Cubs – Reds (2).');
  });

  it('has no buttons for support, and the same ones for teams', async () => {
    state.duplicates = [pair('event')];
    expect((await site.get('/admin/data?tab=duplicates', 'support')).text).not.toContain('/admin/data/act');
    state.duplicates = [pair('team')];
    expect((await site.get('/admin/data?tab=duplicates', 'admin')).text).toContain('name="what" value="team"');
  });
});

describe('splitting a ref off', () => {
  const wish = '/admin/data?tab=acts&try=split&what=event&source=b&ref=77';

  it('says what would move before its button, and does nothing yet', async () => {
    const { text } = await site.get(wish, 'admin');
    expect(text).toContain('3 records under b:77, and all later ones, go to a new event, until this is undone.');
    expect(text).toContain('name="action" value="split"');
    expect(done()).toEqual([]);
  });

  it('names what it would be given to, and what events become', async () => {
    const becomes = { id: 9, name: 'Cubs – Reds', starts_at: AT, status: 'scheduled' };
    const target = { id: 9, name: 'Cubs – Reds', starts_at: AT, league: 'mlb' };
    const from_target = { ...target, id: 8, name: 'Cubs – Mets' };
    state.tried = { ...state.tried, target, from_target, becomes };
    const { text } = await site.get(`${wish}&into=9`, 'admin');
    expect(text).toMatch(/until now of <strong>Cubs – Mets<\/strong>, <time [^<]*<\/time>, mlb \(event 8\)/);
    expect(text).toMatch(/go to <strong>Cubs – Reds<\/strong>, <time [^<]*<\/time>, mlb \(event 9\), until this is/);
    expect(text).toContain('Event 9 will be Cubs – Reds');
  });

  it.each([
    ['what the server refuses', wish.replace('77', '404'), 'not_found: source_ref: there is no event b:404'],
    ['no source', wish.replace('source=b', 'source=B+b'), 'There is no such source.'],
    ['no ref', wish.replace('77', ''), 'This is needed.'],
    ['an id that is none', `${wish}&into=x`, 'whole number'],
  ])('says why not, of %s', async (_, path, why) => {
    const { text } = await site.get(path, 'admin');
    expect(text).toContain('role="alert"');
    expect(text).toContain(why);
    expect(text).not.toContain('name="action" value="split"');
  });

  it('is not offered to support', async () => {
    expect((await site.get(wish, 'support')).text).not.toContain('Split a ref off');
  });
});

describe('an act by ids', () => {
  const target = { id: 17, name: 'Cubs – Reds', starts_at: AT, league: 'mlb' };
  const bind = '/admin/data?tab=waiting&after=a+event%7Ca%7C1&by_source=b&try=bind&what=event&source=b&ref=77&into=17';

  it('is asked for with a form that changes nothing', async () => {
    const { text } = await site.get('/admin/data', 'admin');
    expect(text).toMatch(/<form method="get"[^>]*>(?:(?!<\/form>)[\s\S])*name="try" value="bind"/);
  });

  it('says what a bind would do, with its target in words, and keeps the place', async () => {
    const moved = { records: 1, refs: 1 };
    state.tried = { act: null, action: 'bind', what: 'event', from: 'b:77', into: 17, moved, target };
    const { text } = await site.get(bind, 'admin');
    expect(text).toMatch(
      /1 message under b:77, and all later ones, go to <strong>Cubs – Reds<\/strong>, <time [^<]*<\/time>, mlb \(event 17\)\./,
    );
    expect(text).toContain('name="after" value="a event|a|1"');
    expect(text).toContain('name="by_source" value="b"');
    expect(done()).toEqual([]);
  });

  it('says what a merge of a pair would do that is not listed', async () => {
    const moved = { records: 12, refs: 1 };
    const from_target = { ...target, id: 18, name: 'Cubs – Mets' };
    state.tried = { act: null, action: 'merge', what: 'event', from: 18, into: 17, moved, target, from_target };
    const path = '/admin/data?tab=duplicates';
    expect((await site.get(path, 'admin')).text).toContain('Merge by ids');
    const { text } = await site.get(`${path}&try=merge&what=event&from=18&into=17`, 'admin');
    expect(text).toMatch(
      /12 records of <strong>Cubs – Mets<\/strong>.*\(event 18\), and all its refs, go to <strong>Cubs – Reds/,
    );
    expect(text).toMatch(/name="action" value="merge"[\s\S]*name="from" value="18"[\s\S]*name="into" value="17"/);
  });

  it('has its form open and filled after a refusal, also with the note', async () => {
    const form = { tab: 'waiting', action: 'bind', what: 'event', source: 'b', ref: '404', into: '17', note: 'game 2' };
    const { text, status } = await post(form);
    expect(status).toBe(422);
    expect(text).toMatch(
      /id="bind-ref" name="ref" type="text" value="404" aria-describedby="bind-ref-error" aria-invalid/,
    );
    expect(text).toMatch(/id="bind-into" name="into" type="text" value="17"/);
    expect(text).toMatch(/id="bind-note" name="note" type="text" value="game 2"/);
  });

  it('is refused without a command for a terminal', async () => {
    const { text } = await post({ tab: 'acts', action: 'undo', act: '5005' });
    expect(text).toContain('has_records: act: b:77 has records of event 2. Split the ref off instead.');
    expect(text).not.toContain('`');
  });

  it('offers beside the undo of a bind to split its ref off, filled in', async () => {
    const { text } = await site.get('/admin/data?tab=acts', 'admin');
    const href = /href="([^"]*)">Split the ref off…/.exec(text)![1]!.replaceAll('&amp;', '&');
    expect((await site.get('/admin/data?tab=acts', 'support')).text).not.toContain('Split the ref off…');
    const filled = (await site.get(href, 'admin')).text;
    expect(filled).toMatch(/id="split-source" name="source" type="text" value="b"/);
    expect(filled).toMatch(/id="split-ref" name="ref" type="text" value="77"/);
    expect(filled).not.toContain('name="action" value="split"');
  });
});

describe('a name that nobody has', () => {
  const near = (entry_id: number, name: string) => {
    const none = { event_id: null, starts_at: null, minutes_apart: null, swapped: null };
    return { ...none, entry_id, name, named: 'Spurs' };
  };

  it('comes with the teams that it may be, and fills the form in', async () => {
    state.waiting = [
      {
        ...waiting,
        reason: 'unknown_team',
        names: ['Spurs', 'Nobody United'],
        near: [near(3, 'Tottenham')],
        things: [],
      },
    ];
    const { text } = await site.get('/admin/data', 'admin');
    expect(text).toContain('“Spurs” is Tottenham (3)…');
    expect(text).toMatch(/name="action" value="alias"[\s\S]*name="id" value="3"[\s\S]*name="name" value="Spurs"/);
    expect(text).toMatch(/name="name" type="text" value="Spurs"/);
    expect(text).toMatch(/name="name" type="text" value="Nobody United"/);
    expect(text).not.toContain('“Nobody United” is');
  });
});

it('shows what messages say beyond the contract', async () => {
  state.waiting = [{ ...waiting, extra: { note: `Game 2: ${HOSTILE}`, 'match.week': 3 } }];
  const { text } = await site.get('/admin/data', 'support');
  expect(text).toContain('note: Game 2: ');
  expect(text).toContain('match.week: 3');
  expect(text).not.toContain('<script>alert');
});

it('says which candidate has the sides swapped', async () => {
  const near = { event_id: 2, entry_id: null, name: 'x', starts_at: AT, minutes_apart: 5, swapped: true, named: null };
  state.waiting = [{ ...waiting, near: [near] }];
  expect((await site.get('/admin/data', 'support')).text.match(/sides swapped/g)).toHaveLength(1);
});

it('says of one message that it is given up', async () => {
  state.waiting = [{ ...waiting, count: 1 }];
  expect((await site.get('/admin/data', 'admin')).text).toContain('1 message is given up.');
});

it('says of records that they are records', async () => {
  state.acts = [{ ...act, action: 'undo', root: 'merge' }];
  expect((await site.get('/admin/data?tab=acts', 'admin')).text).toContain('It moved 3 records.');
});

describe('the place of a list', () => {
  it('is that of the filters, and of the part that is shown', async () => {
    state.next = 'b event|b|9';
    const { text } = await site.get('/admin/data?by_source=b&by_reason=ambiguous&after=b+event%7Cb%7C1', 'support');
    expect(state.calls.at(-1)).toEqual([
      'waiting',
      { after: 'b event|b|1', limit: 50, source: 'b', reason: 'ambiguous' },
    ]);
    expect(text).toContain('tab=waiting&amp;after=b+event%7Cb%7C9&amp;by_source=b&amp;by_reason=ambiguous');
  });

  it('is kept by an act, whose message names the ref and the target and leads to it', async () => {
    const target = { id: 2, name: 'Cubs – Reds', starts_at: AT, league: 'mlb' };
    state.done = { target };
    const answer = await site.ask('/admin/data', 'admin');
    const token = /name="_csrf" value="([^"]+)"/.exec(await answer.text())![1]!;
    const fields = { tab: 'waiting', after: 'a 1', by_reason: 'ambiguous', action: 'bind', what: 'event' };
    const posted = await site.ask('/admin/data/act', 'admin', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ _csrf: token, ...fields, source: 'b', ref: '77', into: '2' }).toString(),
    });
    const location = posted.headers.get('location')!;
    expect(location).toBe('/admin/data?tab=waiting&after=a+1&by_reason=ambiguous');
    const flash = /flash=[^;]+/.exec(posted.headers.get('set-cookie')!)![0];
    const shown = await site.ask(location, 'admin', { headers: { cookie: `session=admin; ${flash}` } });
    const text = await shown.text();
    expect(text).toContain(`bind b:77, Cubs – Reds, ${AT}, mlb (event 2); it concerns 3 messages.`);
    expect(text).toContain('href="/admin/data?tab=acts&amp;before=8#act-7">Show act 7</a>');
  });
});

describe('all that waits of a source', () => {
  it('is offered where the list is that of the source, and counted before it is given up', async () => {
    expect((await site.get('/admin/data', 'admin')).text).not.toContain('Dismiss all');
    expect((await site.get('/admin/data?by_source=b', 'support')).text).not.toContain('Dismiss all');
    const { text } = await site.get('/admin/data?by_source=b', 'admin');
    const href = /href="([^"]*)">Dismiss all that waits of b…/.exec(text)![1]!.replaceAll('&amp;', '&');
    const counted = (await site.get(href, 'admin')).text;
    expect(counted).toContain('450 messages of b in 200 groups are given up');
    expect(counted).toContain('12 groups of the source are left.');
    expect(state.calls.some(([name]) => name === 'dismissSource')).toBe(false);
  });

  it('is given up in the name of who asks', async () => {
    const answer = await site.post(
      '/admin/data/dismiss-source',
      { by_source: 'b', source: 'b', note: 'errs' },
      'admin',
    );
    expect([answer.status, answer.location]).toEqual([303, '/admin/data?tab=waiting&by_source=b']);
    expect(state.calls).toContainEqual(['dismissSource', 'b', { by: 'staff 3', note: 'errs' }]);
  });

  it.each([
    ['no source', {}],
    ['a long note', { source: 'b', note: 'x'.repeat(501) }],
  ])('is refused with %s', async (_, form) => {
    const answer = await site.post('/admin/data/dismiss-source', { by_source: 'b', ...form }, 'admin');
    expect(answer.status).toBe(422);
    expect(state.calls.some(([name]) => name === 'dismissSource')).toBe(false);
  });
});

it('shows acts with who, why and an undo', async () => {
  const { text } = await site.get('/admin/data?tab=acts', 'admin');
  expect(text).toContain('staff 3');
  expect(text).toContain('Undo 5…');
  expect(text).not.toContain('<script>alert');
});

it('does an act, in the name of who asks', async () => {
  const form = { tab: 'waiting', action: 'bind', what: 'event', source: 'b', ref: '77', into: '2', note: 'second' };
  const answer = await post(form);
  expect([answer.status, answer.location]).toEqual([303, '/admin/data?tab=waiting']);
  const wanted = { action: 'bind', what: 'event', source_ref: { source: 'b', ref: '77' }, into: 2 };
  expect(done()).toEqual([['act', { ...wanted, note: 'second', by: 'staff 3' }]]);
});

it.each([
  ['merge', { what: 'event', from: '1', into: '2' }, { what: 'event', from: 1, into: 2 }],
  ['alias', { what: 'team', id: '4', name: 'Spurs' }, { what: 'team', id: 4, name: 'Spurs' }],
  ['dismiss', { waiting: 'b event|b|77' }, { waiting: 'b event|b|77' }],
  ['undo', { act: '5' }, { act: 5 }],
  [
    'split',
    { what: 'team', source: 'b', ref: '77', into: '4', sport: 'nba' },
    { what: 'team', source_ref: { source: 'b', ref: '77' }, into: 4, sport: 'nba' },
  ],
  [
    'split',
    { what: 'event', source: 'b', ref: '7', into: '' },
    { what: 'event', source_ref: { source: 'b', ref: '7' } },
  ],
] as const)('does %s', async (action, form, members) => {
  expect((await post({ action, ...form })).status).toBe(303);
  expect(done()).toEqual([['act', { action, ...members, by: 'staff 3' }]]);
});

it.each([
  ['no action', {}],
  ['an action that there is not', { action: 'melt' }],
  ['a merge without an id', { action: 'merge', what: 'event', from: '1' }],
  ['a merge of no kind of thing', { action: 'merge', from: '1', into: '2' }],
  ['a bind without a thing', { action: 'bind', source: 'b', ref: '77', into: '2' }],
  ['a bind to what is no id', { action: 'bind', what: 'event', source: 'b', ref: '77', into: 'x' }],
  ['a bind of no source', { action: 'bind', what: 'event', source: 'B b', ref: '77', into: '2' }],
  ['an alias without a name', { action: 'alias', what: 'team', id: '4' }],
  ['a split of no kind of thing', { action: 'split', source: 'b', ref: '77' }],
  ['a note of 501 characters', { action: 'undo', act: '5', note: 'x'.repeat(501) }],
  ['what the server refuses', { action: 'undo', act: '404' }],
] as const)('refuses %s', async (_, form) => {
  const { status, text } = await post(form);
  expect([status, done()]).toEqual([422, []]);
  expect(text).toContain('role="alert"');
});
