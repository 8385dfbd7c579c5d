import { describe, expect, it } from 'vitest';
import type { Story } from '../../../../../src/web/live/answers/live-page-answers.ts';
import { bestPriceAt, bestPrices } from '../../../../../src/web/live/page/view-model/best-prices.ts';
import { chartLines } from '../../../../../src/web/live/page/view-model/chart-lines.ts';
import { scoreMargins } from '../../../../../src/web/live/page/view-model/margin.ts';
import {
  hasBegun,
  injuriesAt,
  lastAt,
  playStart,
  statusChanges,
  toStoryModel,
} from '../../../../../src/web/live/page/view-model/story-model.ts';
import { momentText, storyRows } from '../../../../../src/web/live/page/view-model/story-text.ts';
import { yAxisTicks } from '../../../../../src/web/live/page/view-model/y-axis-ticks.ts';

const at = (minute: number) => new Date(Date.parse('2026-03-01T19:00:00Z') + minute * 60_000).toISOString();
const time = (minute: number) => Date.parse(at(minute));
const book = (slug: string) => ({ slug, name: slug });

const story: Story = {
  event_id: 1,
  simulated: false,
  from: at(-60),
  to: at(30),
  generated_at: at(40),
  scores: [
    { at: at(-60), status: 'scheduled', period_label: null, clock: null, scores: [null, null] },
    { at: at(0), status: 'inprogress', period_label: '1st Quarter', clock: '12:00', scores: ['0', '0'] },
    { at: at(10), status: 'inprogress', period_label: '1st Quarter', clock: '2:00', scores: ['4', '7'] },
    { at: at(20), status: 'inprogress', period_label: '2nd Quarter', clock: '12:00', scores: ['4', '7'] },
    { at: at(30), status: 'suspended', period_label: '2nd Quarter', clock: '8:00', scores: ['9', '7'] },
  ],
  lines: [
    {
      bookmaker: book('pinnacle'),
      market: 'spreads',
      outcome: 'home',
      name: 'Home',
      points: [
        { at: at(-50), price: -110, point: -3 },
        { at: at(15), price: -110, point: -4.5 },
      ],
    },
    { bookmaker: book('pinnacle'), market: 'spreads', outcome: 'away', name: 'Away', points: [] },
    {
      bookmaker: book('circa'),
      market: 'h2h',
      outcome: 'home',
      name: 'Home',
      points: [{ at: at(-9), price: 150, point: null }],
    },
  ],
  injuries: [
    { at: at(5), player: 'A. Back', team: 'Home', status: 'questionable' },
    { at: at(25), player: 'A. Back', team: 'Home', status: 'out' },
    { at: at(26), player: 'B. Wing', team: 'Home', status: 'doubtful' },
  ],
};
const model = toStoryModel(story, false);

describe('where a story begins', () => {
  it('is its first price, report or play, and not the moment at which the event was announced', () => {
    const model = toStoryModel(story, false);
    expect([model.from, hasBegun(model)]).toEqual([time(-50), true]);
    const announced = toStoryModel({ ...story, lines: [], injuries: [], scores: story.scores.slice(0, 1) }, false);
    expect([announced.from, hasBegun(announced)]).toEqual([time(-60), false]);
  });
});

describe('a story', () => {
  it('goes on until it was told, while more is to be expected of it; else to its last moment', () => {
    expect(model.to).toBe(time(40));
    expect(toStoryModel(story, true).to).toBe(time(30));
    expect(toStoryModel({ ...story, generated_at: at(60 * 24 * 300) }, false).to).toBe(time(30));
  });

  it('tells what stood at a moment, from that moment on', () => {
    expect(lastAt(model.scores, time(10))?.scores).toEqual(['4', '7']);
    expect(lastAt(model.scores, time(10) - 1)?.scores).toEqual(['0', '0']);
    expect(lastAt(model.scores, time(-61))).toBeUndefined();
  });

  it('begins to be played with the first live state, else at its start', () => {
    expect(playStart(model, time(-5))).toBe(time(0));
    const told = { ...model, scores: model.scores.slice(0, 1) };
    expect(playStart(told, time(7))).toBe(time(7));
    expect(playStart(told, time(50))).toBeNull();
  });

  it("has each player's last report at a moment, the newest first", () => {
    expect(injuriesAt(model, time(24)).map(({ status }) => status)).toEqual(['questionable']);
    expect(injuriesAt(model, time(30)).map(({ player, status }) => `${player} ${status}`)).toEqual([
      'B. Wing doubtful',
      'A. Back out',
    ]);
  });

  it('marks where the status changed', () => {
    expect(statusChanges(model).map(({ status }) => status)).toEqual(['scheduled', 'inprogress', 'suspended']);
  });

  it("counts the home side's lead up, wherever that side stands", () => {
    expect(scoreMargins(model, 1).map(({ margin }) => margin)).toEqual([0, 3, -2]);
    expect(scoreMargins(model, 0).map(({ margin }) => margin)).toEqual([0, -3, 2]);
  });

  it('counts a score by sets as the sum of its games', () => {
    const scores = [['6 3', '4 5']].map((pair) => ({ ...model.scores[1]!, scores: pair as [string, string] }));
    expect(scoreMargins({ scores }, 0).map(({ margin }) => margin)).toEqual([0]);
    expect(scoreMargins({ scores: [{ ...scores[0]!, scores: ['6 3', ''] }] }, 0)).toEqual([]);
  });

  it('is told in words and rows', () => {
    const sides = [{ name: 'Away' }, { name: 'Home' }];
    expect(momentText(model, sides, time(12), '19:12')).toBe('19:12: Away 4, Home 7, 1st Quarter 2:00');
    expect(momentText(model, sides, time(31), '19:31')).toBe('19:31: Away 9, Home 7, Suspended');
    const rows = storyRows(model, chartLines(model, 'spreads').lines[0]!.moments);
    expect(rows.map(({ scores, line }) => [...scores, line?.point ?? null])).toEqual([
      [null, null, null],
      ['0', '0', -3],
      ['4', '7', -3],
      ['9', '7', -4.5],
    ]);
  });
});

describe('what the chart draws', () => {
  it('is the point where points move, else what the price implies', () => {
    expect(chartLines(model, 'spreads')).toMatchObject({ measure: 'point', outcome: 'home', name: 'Home' });
    expect(chartLines(model, 'h2h').measure).toBe('price');
    expect(chartLines(model, 'totals').lines).toEqual([]);
  });

  it('has prices that people know beside it, within its range', () => {
    const american = yAxisTicks([0.4, 0.7], 'price', 'h2h', 'american', 5);
    expect(american.map(({ text }) => text)).toEqual(['−200', '−150', '−120', '+110', '+150']);
    expect(yAxisTicks([0.4, 0.7], 'price', 'h2h', 'decimal', 3).every(({ text }) => /^\d\.\d\d$/.test(text))).toBe(
      true,
    );
    expect(yAxisTicks([-5, -2], 'point', 'spreads', 'american', 4).map(({ text }) => text)).toContain('−3');
    expect(yAxisTicks([0.5, 0.505], 'price', 'h2h', 'american', 3).length).toBeGreaterThan(0);
  });
});

describe('the best prices', () => {
  const odds = (...rows: [slug: string, price: number, point: number | null][]) =>
    rows.map(([slug, price, point]) => ({
      bookmaker: book(slug),
      captured_at: at(0),
      markets: [
        { market: 'spreads' as const, label: 'spread', outcomes: [{ outcome: 'home', name: 'Home', price, point }] },
      ],
    }));

  it('are the highest at the point that most bookmakers offer', () => {
    const best = bestPrices(odds(['a', -110, -3], ['b', 100, -3], ['c', 150, -4.5], ['d', 100, -3]));
    expect([...best]).toEqual(['b/spreads/home', 'd/spreads/home']);
  });

  it('are never those of an average, which nobody can bet with', () => {
    const offered = odds(['a', -110, -3], ['consensus', 150, -3], ['b', -115, -3]);
    expect([...bestPrices(offered)]).toEqual(['a/spreads/home']);
    expect(bestPriceAt(offered, 'spreads', 'home', -3)).toEqual({ price: -110, slugs: ['a'] });
  });

  it('at one line are all that pay most there', () => {
    const offered = odds(['a', 105, -3], ['b', 105, -3], ['c', 150, -4.5]);
    expect(bestPriceAt(offered, 'spreads', 'home', -3)).toEqual({ price: 105, slugs: ['a', 'b'] });
    expect(bestPriceAt(offered, 'spreads', 'home', -4.5)).toEqual({ price: 150, slugs: ['c'] });
    expect(bestPriceAt(offered, 'spreads', 'home', -5)).toBeNull();
    expect(bestPriceAt(offered, 'spreads', 'away', 3)).toBeNull();
  });

  it('are none where there is nothing to compare', () => {
    expect(bestPrices(odds(['a', -110, -3])).size).toBe(0);
    expect(bestPrices(odds(['a', -110, -3], ['b', -105, -4])).size).toBe(0);
  });
});
