import { describe, expect, it } from 'vitest';
import type { PlayState } from '../../../src/sources/provider-base/backward-play.ts';
import { createScoreGuard } from '../../../src/sources/provider-base/score-guard.ts';

const game = (sport: string, source = 'espn') => ({ source, ref: '1', subject: 'event 1', sport });
const play = (period: string, clock: string | undefined, scores: [number, number], more: Partial<PlayState> = {}) => ({
  status: 'inprogress' as const,
  period,
  clock,
  scores,
  ...more,
});
type Step = readonly [seconds: number, state: PlayState];

/** What becomes of each answer. */
function verdicts(sport: string, steps: readonly Step[], pace = 1) {
  const guard = createScoreGuard(pace);
  return {
    guard,
    told: steps.map(([seconds, state]) => guard.judge(game(sport), state, seconds * 1000)),
  };
}

describe('what is held back', () => {
  it.each<[string, string, PlayState, PlayState]>([
    ['a start that is not one', 'nba', play('1', '9:00', [5, 4]), play('', undefined, [0, 0], { status: 'scheduled' })],
    ['an end that is none', 'nba', play('4', '0:00', [90, 80], { status: 'final' }), play('4', '0:30', [90, 80])],
    [
      'an end that is suspended',
      'nhl',
      play('3', undefined, [2, 1], { status: 'final' }),
      play('3', '1:00', [2, 1], { status: 'suspended' }),
    ],
    ['an earlier period', 'nba', play('3', '11:00', [60, 60]), play('2', '0:10', [60, 60])],
    ['an earlier half-inning', 'mlb', play('Bot 3', '0 out', [1, 1]), play('Top 3', '2 out', [1, 1])],
    ['an overtime that is regulation', 'nfl', play('OT', '9:00', [20, 20]), play('4', '0:00', [20, 20])],
    ['a clock that runs backwards', 'nba', play('2', '4:15', [40, 38]), play('2', '5:10', [38, 38])],
    ['a clock of soccer that runs backwards', 'soccer', play('2H', "67'", [1, 0]), play('2H', "66'", [0, 0])],
    ['stoppage time that runs backwards', 'soccer', play('2H', "90'+4'", [1, 0]), play('2H', "90'+2'", [1, 0])],
    ['a lower score without a clock', 'mlb', play('Top 7', undefined, [4, 2]), play('Top 7', undefined, [3, 2])],
    ['more points than one play gives', 'nba', play('2', '4:15', [40, 38]), play('2', '4:00', [30, 38])],
    ['a score that becomes nothing', 'nhl', play('2', '4:15', [3, 2]), play('2', '4:00', [0, 0])],
    [
      'a result that becomes nothing',
      'nba',
      play('4', '0:00', [90, 80], { status: 'final' }),
      play('4', '0:00', [0, 0], { status: 'final' }),
    ],
    ['a set that is not won yet', 'tennis', play('Set 2', undefined, [9, 5]), play('Set 1', undefined, [8, 5])],
  ])('%s', (_, sport, last, next) => {
    expect(
      verdicts(sport, [
        [0, last],
        [15, next],
      ]).told,
    ).toEqual(['believed', 'held']);
  });

  it.each<[string, string, PlayState, PlayState]>([
    ['a goal', 'soccer', play('1H', "10'", [0, 0]), play('1H', "11'", [1, 0])],
    ['a goal that is taken back, in the same minute', 'soccer', play('1H', "10'", [1, 0]), play('1H', "10'", [0, 0])],
    ['a goal that is taken back later', 'soccer', play('1H', "10'", [2, 1]), play('1H', "12'", [1, 1])],
    ['a goal of hockey that is taken back', 'nhl', play('2', '4:15', [3, 2]), play('2', '4:10', [2, 2])],
    ['a run that is taken back', 'mlb', play('Top 7', '1 out', [3, 2]), play('Top 7', '2 out', [2, 2])],
    ['a basket that is taken back', 'nba', play('2', '4:15', [40, 38]), play('2', '4:15', [37, 38])],
    ['a touchdown that is taken back', 'nfl', play('2', '4:15', [21, 7]), play('2', '4:15', [13, 7])],
    [
      'that it is postponed',
      'mlb',
      play('Top 7', '1 out', [3, 2]),
      play('', undefined, [0, 0], { status: 'postponed' }),
    ],
    [
      'that it is abandoned',
      'soccer',
      play('2H', "60'", [3, 2], { status: 'final' }),
      play('', undefined, [0, 0], { status: 'cancelled' }),
    ],
    [
      'that it is suspended',
      'mlb',
      play('Top 7', '1 out', [3, 2]),
      play('Top 7', '1 out', [3, 2], { status: 'suspended' }),
    ],
    [
      'a result that is corrected',
      'nba',
      play('4', '0:00', [90, 80], { status: 'final' }),
      play('4', '0:00', [88, 80], { status: 'final' }),
    ],
    ['half-time', 'soccer', play('1H', "45'+2'", [1, 0]), play('HT', "45'", [1, 0])],
    ['the end', 'nba', play('4', '0:10', [90, 80]), play('4', '0:00', [90, 82], { status: 'final' })],
  ])('not %s', (_, sport, last, next) => {
    expect(
      verdicts(sport, [
        [0, last],
        [15, next],
      ]).told,
    ).toEqual(['believed', 'believed']);
  });

  it('a copy of what was shown at a clock that stands still, as during free throws', () => {
    const at = (points: number) => play('2', '2:31', [points, 90]);
    const { told, guard } = verdicts('nba', [
      [0, at(98)],
      [15, at(99)],
      [30, at(98)],
      [45, at(100)],
    ]);
    expect(told).toEqual(['believed', 'believed', 'held', 'believed']);
    expect([guard.held('espn'), guard.flaps('espn')]).toEqual([0, 1]);
  });
});

/** Answers of one game, 15 s apart. */
const inTurn = (sport: string, ...states: PlayState[]) =>
  verdicts(
    sport,
    states.map((state, index): Step => [15 * index, state]),
  ).told;

describe('an old copy that no clock shows to be old', () => {
  const final = (home: number, away: number) => play('4', '0:00', [home, away], { status: 'final' });
  const delayed = play('Top 7', '1 out', [3, 2], { status: 'suspended' });
  const postponed = play('', undefined, [0, 0], { status: 'postponed' });

  it.each<[string, string, PlayState[]]>([
    [
      "of a soccer goal's own minute",
      'soccer',
      [play('1H', "29'", [0, 0]), play('1H', "30'", [1, 0]), play('1H', "30'", [0, 0])],
    ],
    [
      'of a soccer minute that was shown without the goal',
      'soccer',
      [play('1H', "30'", [0, 0]), play('1H', "30'", [1, 0]), play('1H', "30'", [0, 0])],
    ],
    [
      'from before the extra point',
      'nfl',
      [play('2', '4:40', [0, 0]), play('2', '4:15', [7, 0]), play('2', '4:15', [6, 0])],
    ],
    ['of a result that was corrected', 'nba', [final(90, 80), final(88, 80), final(90, 80)]],
    [
      'of an end that was none',
      'nhl',
      [
        ...[play('3', '0:10', [2, 1]), play('3', undefined, [2, 1], { status: 'final' })],
        ...Array.from({ length: 4 }, () => play('3', '0:08', [2, 1])),
        play('3', undefined, [2, 1], { status: 'final' }),
      ],
    ],
    ['from before the rain', 'mlb', [play('Top 7', '0 out', [2, 2]), delayed, play('Top 7', '1 out', [3, 2])]],
    [
      'from before it was postponed',
      'mlb',
      [play('Top 1', '0 out', [0, 0]), postponed, play('Top 1', '0 out', [0, 0])],
    ],
  ])('%s is held back', (_, sport, states) => {
    expect(inTurn(sport, ...states).at(-1)).toBe('held');
  });

  it.each<[string, string, PlayState[]]>([
    [
      'a goal taken back in the minute after it',
      'soccer',
      [play('1H', "29'", [0, 0]), play('1H', "30'", [1, 0]), play('1H', "31'", [0, 0])],
    ],
    [
      'the end with a goal less',
      'soccer',
      [play('2H', "90'+2'", [2, 1]), play('2H', "90'+3'", [2, 2]), play('2H', "90'+3'", [2, 1], { status: 'final' })],
    ],
    ['play that goes on after the rain', 'mlb', [delayed, play('Top 7', '2 out', [3, 2])]],
    ['a second correction of a result', 'nba', [final(90, 80), final(88, 80), final(89, 80)]],
  ])('but %s is believed at once', (_, sport, states) => {
    expect(new Set(inTurn(sport, ...states))).toEqual(new Set(['believed']));
  });
});

describe('what was held back', () => {
  const last = play('3', '5:00', [60, 50]);
  const back = play('2', '1:00', [50, 50]);

  it('is counted while it is, and dissolves by an answer that agrees with what was told before', () => {
    const { told, guard } = verdicts('nba', [
      [0, last],
      [15, back],
    ]);
    expect([told, guard.held('espn'), guard.flaps('espn')]).toEqual([['believed', 'held'], 1, 0]);
    expect(guard.judge(game('nba'), last, 30_000)).toBe('believed');
    expect([guard.held('espn'), guard.flaps('espn')]).toEqual([0, 1]);
  });

  it('is believed after three answers over 45 s that say the same, and no sooner', () => {
    const steps = [0, 15, 30, 45, 59, 61].map((at): Step => [at, at === 0 ? last : back]);
    expect(verdicts('nba', steps).told).toEqual(['believed', 'held', 'held', 'held', 'held', 'believed']);
    const slow = [0, 30, 90, 150].map((at): Step => [at, at === 0 ? last : back]);
    expect(verdicts('nba', slow).told).toEqual(['believed', 'held', 'held', 'believed']);
  });

  it('is believed sooner by the pace', () => {
    const steps = [0, 1, 2, 6].map((at): Step => [at, at === 0 ? last : back]);
    expect(verdicts('nba', steps, 10).told).toEqual(['believed', 'held', 'held', 'believed']);
  });

  it('counts anew when answers say something else', () => {
    const other = play('2', '1:00', [48, 50]);
    const steps: Step[] = [
      [0, last],
      [15, back],
      [30, other],
      [45, back],
      [62, back],
    ];
    expect(verdicts('nba', steps).told).toEqual(['believed', 'held', 'held', 'held', 'held']);
  });

  it('is not believed while another source shows what was told before', () => {
    const guard = createScoreGuard(1);
    const [espn, nhl] = [game('nhl'), game('nhl', 'nhl')];
    guard.judge(espn, last, 0);
    const told = [15, 30, 45, 60, 75, 90].map((at) => {
      const verdict = guard.judge(nhl, back, at * 1000);
      guard.judge(espn, last, at * 1000 + 5000);
      return verdict;
    });
    expect(new Set(told)).toEqual(new Set(['held']));
  });
});
