import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FeedHealth } from '../../../../src/api/calls/operation/operation.ts';
import { healthSection } from '../../../../src/web/account/admin/health-section.ts';
import { schedule, score } from '../../../api/spec/messages.ts';
import { type TestBrowser, type WholeSite, wholeSite } from '../whole-application.ts';

const AT = '2026-03-01T12:00:00Z';
const HEALTH = {
  status: 'ok',
  version: '0.1.0',
  time: AT,
  log: { position: '12' },
  quarantined: 3,
  projections: [
    { name: 'events', position: '12', lag_events: 2, lag_seconds: 41.4 },
    { name: 'odds', position: '12', lag_events: 0, lag_seconds: 0 },
  ],
} as const;
const view = {
  ...{ health: HEALTH, leagues: [], backup: undefined },
  ...{ recent: { spans: [], disk: [] }, timezone: 'UTC' },
};
const feed: FeedHealth = {
  ...{ name: 'espn', state: 'failing' as const, last_success_at: AT, last_error_at: AT, lag_seconds: 5 },
  ...{ last_error: { code: 'x', message: 'It <b>fails</b>.' }, requests: 1, failures: 1, messages: 0, rejected: 0 },
  ...{ held: 0, flaps: 0, ahead: null, budget: null },
};

describe('the health at a glance', () => {
  it('has the lag of the slowest read model, and what waits', () => {
    const { html } = healthSection(view);
    expect(html).toContain('At most 41 s behind the log');
    expect(html).toMatch(/Waiting<\/h3><p class="stat">3</);
    expect(html).toContain('No live connector is set up.');
    expect(html).toContain('No game is known yet.');
    expect(html).not.toContain('class="notice"');
  });

  it('names each reason why it is degraded, the feeds with their errors, and the backup', () => {
    const health = { ...HEALTH, status: 'degraded', reasons: ['disk', 'feeds'], feeds: [feed] } as const;
    const backup = { currentAt: 0, lagSeconds: 7, failure: undefined, problem: undefined, drill: undefined };
    const { html } = healthSection({ ...view, health, backup });
    expect(html.match(/class="notice"/g)).toHaveLength(2);
    expect(html).toMatch(/Disk<\/h3><p class="stat">Full</);
    expect(html).toContain('How much is not known here');
    expect(html).toContain('It &lt;b&gt;fails&lt;/b&gt;.');
    expect(html).toMatch(/Backup<\/h3><p class="stat">Current<\/p><p class="facts">7 s behind/);
  });

  it('has the newest fact and the next game of a league, and the age of its feed', () => {
    const league = { league: 'epl', feed: { seconds: 90, isDown: true }, newestFact: AT, expectedNext: null };
    const { html } = healthSection({ ...view, leagues: [league] });
    expect(html).toContain('<th scope="row">Premier League</th><td>90 s old, down</td>');
    expect(html).toMatch(/<time datetime="2026-03-01T12:00:00.000Z">[^<]*<\/time><\/td><td>–</);
  });
});

describe('what happened lately', () => {
  const HOUR = 60 * 60_000;
  const at = Date.parse(AT);
  const span = (index: number, errors: number) => ({
    ...{ at: at + index * 60_000, length: 60_000, calls: 1000, errors, attempts: 4, failedAttempts: 1 },
  });

  it('is not known in the first minute, and nothing is drawn', () => {
    const { html } = healthSection(view);
    expect(html).toMatch(/Errors<\/h3><p class="stat">–</);
    expect(html).toMatch(/Webhooks failing<\/h3><p class="stat">–</);
    expect(html).not.toContain('<svg');
  });

  it('has the errors of the counted minutes as a sum, as a chart and as a table', () => {
    const { html } = healthSection({ ...view, recent: { spans: [span(0, 0), span(1, 7)], disk: [] } });
    expect(html).toMatch(
      /Errors<\/h3><p class="stat bad">7<\/p><p class="facts">Answered with 5xx, of 2,000 calls of the last 2 minutes</,
    );
    expect(html).toMatch(/Webhooks failing<\/h3><p class="stat bad">2<\/p><p class="facts">Of 8 tries/);
    expect(html).toContain('<title>2026-03-01 12:01 UTC: 7</title><rect class="bar"');
    expect(html).toContain('<title>2026-03-01 12:00 UTC: 0</title></g>');
    expect(html).toContain('<td class="number">1,000</td><td class="number">7</td>');
  });

  it('has what the disk takes, and its growth a day once two looks are an hour apart', () => {
    const sample = (hours: number, bytes: number) => ({ at: at + hours * HOUR, bytes });
    const ofDisk = (disk: readonly { at: number; bytes: number }[]) =>
      healthSection({ ...view, recent: { spans: [], disk } }).html;
    expect(ofDisk([sample(0, 2_500_000)])).toMatch(/2.5 MB<\/p><p class="facts">Its growth is known after an hour/);
    expect(ofDisk([sample(0, 1e9), sample(12, 1.02e9)])).toMatch(/1.02 GB<\/p><p class="facts">\+40 MB a day/);
    // Of the last day alone: what grew before it does not count.
    expect(ofDisk([sample(0, 0), sample(48, 9e9), sample(72, 8e9)])).toMatch(/8 GB<\/p><p class="facts">−1 GB a day/);
  });
});

describe('the health on the server that ships', () => {
  let site: WholeSite;
  let staff: TestBrowser;
  beforeAll(async () => {
    site = await wholeSite();
    await site.user('boss@x.example', { staff: true });
    await site.user('ann@x.example');
    staff = await site.signedIn('boss@x.example');
  });
  afterAll(() => site.close());

  it('stands on the first page of the staff, with what is known of the leagues, and on nobody else’s', async () => {
    expect((await staff.get('/admin')).text).toContain('No game is known yet.');
    const told = [
      schedule({ sport: 'nba', league: 'nba' }, 'g1', ['a', 'b'], '2026-02-27T20:00:00Z', {
        at: '2026-02-20T00:00:00Z',
      }),
      score('g1', 'final', ['100', '90'], { at: '2026-02-27T22:30:00Z' }),
      schedule({ sport: 'nba', league: 'nba' }, 'g2', ['a', 'b'], '2030-02-27T20:00:00Z', {
        at: '2026-02-20T00:00:00Z',
      }),
    ];
    const { outcomes } = await site.core.intake.accept(told.map((value, index) => ({ line: index + 1, value })));
    expect(outcomes.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted']);
    await site.core.projected();
    const { status, text } = await staff.get('/admin');
    expect(status).toBe(200);
    const row = /<th scope="row">National Basketball Association<\/th>.*/.exec(text)![0];
    // When it was recorded.
    expect(row).toContain('datetime="2026-03-01T12:00:00.000Z"');
    expect(row).toContain('datetime="2030-02-27T20:00:00.000Z"');
    expect((await (await site.signedIn('ann@x.example')).get('/admin')).text).not.toContain('Freshness by league');
  });
});
