import { describe, expect, it } from 'vitest';
import {
  bindPolymarketMarket,
  gameOfEvent,
  unclearPolymarketMarket,
} from '../../../src/sources/polymarket/bind-market.ts';
import { moneyline, nbaEvent, question, soccerEvent, spread, total } from './polymarket-double.ts';

const bound = (market: any, event: any = nbaEvent([])) => {
  const { key, side, unbound } = bindPolymarketMarket(market, gameOfEvent(event)!) as any;
  return unbound === undefined ? `${key} ${side.outcome} ${side.point ?? ''}`.trim() : { unbound };
};
const UNBOUND = { unbound: expect.any(String) };
const asked = (text: string, more: any = {}) => bound(question('8', text, more), soccerEvent([]));
const ARSENAL = 'Will Arsenal FC win on 2026-11-30?';
const DRAW = 'Will Arsenal FC vs. Chelsea FC end in a draw?';

describe('texts of Polymarket that are on something else, or the other way round', () => {
  it.each([
    ['Lakers to be beaten?'],
    ['1H Moneyline'],
    ['Lakers vs. Warriors: 1H Moneyline'],
    ['Lakers vs. Warriors: First Quarter'],
    ['Lakers vs. Warriors by 10'],
    ['Lakers vs. Clippers'],
    ['Will the Warriors beat the Lakers?'],
    ['Who scores fewer, Lakers vs. Warriors'],
    [undefined],
  ])('given the question "%s" of a moneyline, then it is bound to nothing', (text) => {
    expect(bound(moneyline({ question: text }))).toEqual(UNBOUND);
  });

  it.each([
    ['This market resolves to "Warriors" if the Lakers win.'],
    [
      'If the Lakers win, the market will resolve to "Lakers". If the Warriors win, the market will resolve to "Lakers".',
    ],
    ['If the Lakers win, the market will resolve to "Lakers". Otherwise, this market will resolve to "Lakers".'],
    ['If the Lakers win the first half, the market will resolve to "Lakers".'],
    ['If the Lakers win by 5 or more points, the market will resolve to "Lakers".'],
    ['If the Lakers win, the market will resolve to "Lakers". This market refers to the first half alone.'],
    ['If the Lakers win, the market will resolve to "Lakers". Regulation time alone counts.'],
    ['If the Lakers win, the market will resolve to "Lakers". Each name stands for the defeat of that team.'],
    [
      'In the upcoming NBA game, scheduled for December 2 at 10:00PM ET: If the Lakers win, the market will resolve to "Lakers".',
    ],
    [
      'In the upcoming Women\'s NCAAB game, scheduled for November 30 at 10:00PM ET: If the Lakers win, the market will resolve to "Lakers".',
    ],
    [
      'In the upcoming NBA game between the Lakers and the Clippers, scheduled for November 30: If the Lakers win, the market will resolve to "Lakers".',
    ],
    ['If the Lakers are the leaders at halftime, this market will resolve to "Lakers".'],
    ['If the game is canceled, the side that loses is paid.'],
    ['The resolution source for this market is the official box score, and it pays the visitors if they trail.'],
  ])('given the rules "%s" of a moneyline, then it is bound to nothing', (description) => {
    expect(bound(moneyline({ description }))).toEqual(UNBOUND);
  });

  it.each([
    ['Will Arsenal FC win both halves?'],
    ['Will Arsenal FC win the first half?'],
    ['Will Arsenal FC win by 2 or more goals?'],
    ['Will Arsenal FC win the Premier League?'],
    ['Will Arsenal FC win or draw on 2026-11-30?'],
    ['Will Arsenal FC win the toss on 2026-11-30?'],
    ['Will Arsenal FC vs. Chelsea FC end in a draw at half time?'],
    ['Will Arsenal FC vs. Chelsea FC end in a draw or a win of Chelsea FC?'],
    ['Will the first half of Arsenal FC vs. Chelsea FC end in a draw?'],
    ['Will Arsenal FC vs. Everton FC end in a draw?'],
  ])('given the question "%s", then it is bound to nothing', (text) => {
    expect(asked(text)).toEqual(UNBOUND);
  });

  it('given a question or rules of another day and no start, then it is bound to nothing', () => {
    const undated = { gameStartTime: undefined };
    expect(asked('Will Arsenal FC win on 2026-12-07?', undated)).toEqual({ unbound: 'other_day' });
    expect(asked('Will Arsenal FC vs. Chelsea FC end in a draw on 2026-12-07?', undated)).toEqual(UNBOUND);
    const description =
      'In the upcoming game, scheduled for December 7, 2026 If Arsenal FC wins, this market will resolve to "Yes".';
    expect(asked('Will Arsenal FC win?', { ...undated, description })).toEqual(UNBOUND);
    expect(asked(ARSENAL, undated)).toBe('h2h home');
    expect(asked(ARSENAL, { gameStartTime: 'soon' })).toEqual({ unbound: 'other_start' });
  });

  it.each([
    [ARSENAL, 'If Arsenal FC wins, this market will resolve to "No". Otherwise, this market will resolve to "Yes".'],
    [ARSENAL, 'If Chelsea FC wins, this market will resolve to "Yes". Otherwise, this market will resolve to "No".'],
    [
      ARSENAL,
      'If the game ends in a draw, this market will resolve to "Yes". Otherwise, this market will resolve to "No".',
    ],
    [
      ARSENAL,
      'If Arsenal FC wins, this market will resolve to "Yes". If the game ends in a draw, this market will resolve to "Yes".',
    ],
    [ARSENAL, 'If Arsenal FC advances, this market will resolve to "Yes".'],
    [
      DRAW,
      'If the game ends in a draw, this market will resolve to "No". Otherwise, this market will resolve to "Yes".',
    ],
    [DRAW, 'If Arsenal FC wins, this market will resolve to "Yes".'],
  ])('given "%s" with the rules "%s", then it is bound to nothing', (text, description) => {
    expect(asked(text, { description })).toEqual(UNBOUND);
  });

  it('given a Yes without a No, or another title among its event, then it is bound to nothing', () => {
    expect(asked(ARSENAL, { outcomes: '["Yes","Chelsea"]' })).toEqual(UNBOUND);
    expect(asked(ARSENAL, { outcomes: '["No","Yes"]' })).toEqual(UNBOUND);
    expect(asked(ARSENAL, { groupItemTitle: 'Arsenal FC (1st half)' })).toEqual(UNBOUND);
    expect(asked(DRAW, { groupItemTitle: 'Chelsea FC' })).toEqual(UNBOUND);
    expect(bound(moneyline({ groupItemTitle: '1H Moneyline' }))).toEqual(UNBOUND);
    expect(bound(moneyline(), nbaEvent([], { title: 'Lakers vs. Warriors - First Half' }))).toEqual(UNBOUND);
  });

  it('given a spread whose name and line are of different sides, then it is bound to nothing', () => {
    const lakersFirst = { outcomes: '["Lakers","Warriors"]' };
    const named = (point: string) => ({ question: `Spread: Warriors (${point})` });
    expect(bound(spread({ ...named('-5.5'), ...lakersFirst, line: -5.5 }))).toEqual({ unbound: 'no_line' });
    expect(bound(spread({ ...named('-5.5'), line: 5.5 }))).toEqual({ unbound: 'no_line' });
    // Both say that the Warriors give 5.5 points.
    expect(bound(spread({ ...named('-5.5'), ...lakersFirst, line: 5.5 }))).toBe('spreads away 5.5');
    expect(bound(spread({ ...named('-5.5'), line: -5.5 }))).toBe('spreads home -5.5');
    expect(bound(spread({ ...named('+5.5'), line: -5.5 }))).toEqual(UNBOUND);
    expect(bound(spread({ outcomes: '["Warriors (+4.5)","Lakers"]' }))).toEqual(UNBOUND);
    expect(bound(spread({ groupItemTitle: 'Lakers (-4.5)' }))).toEqual(UNBOUND);
    expect(bound(spread({ groupItemTitle: 'Spread -6.5' }))).toEqual(UNBOUND);
    expect(bound(spread({ question: '1H Spread: Warriors (-4.5)' }))).toEqual(UNBOUND);
    expect(bound(spread({ question: 'Lakers vs. Warriors -4.5' }))).toEqual(UNBOUND);
  });

  it.each([
    ['This market will resolve to "Warriors" if the Warriors win the game by 4 or more points.'],
    ['This market will resolve to "Warriors" if the Warriors win the game.'],
    [
      'This market will resolve to "Lakers" if the Warriors win the game by 5 or more points. Otherwise, this market will resolve to "Warriors".',
    ],
    ['This market will resolve to "Warriors" if the Lakers win the game by 5 or more points.'],
    ['This market will resolve to "Warriors" if the Warriors win the first half by 5 or more points.'],
  ])('given a spread with the rules "%s", then it is bound to nothing', (description) => {
    expect(bound(spread({ description }))).toEqual(UNBOUND);
  });

  it.each([
    [{ question: '1H O/U 112.5', line: 112.5 }],
    [{ question: 'Lakers vs. Warriors: 1H O/U 112.5', line: 112.5 }],
    [{ question: 'Lakers Team Total', line: 112.5 }],
    [{ question: 'Lakers: O/U 112.5', line: 112.5 }],
    [{ question: 'Lakers vs. Warriors: O/U 224.5 rebounds' }],
    [{ groupItemTitle: '1H O/U 224.5' }],
    [{ description: 'This market will resolve to "Under" if the teams combine to score more than 224.5 points.' }],
    [
      {
        description:
          'This market will resolve to "Over" if the Lakers and the Clippers combine to score 225 or more points.',
      },
    ],
    [{ description: 'This market will resolve to "Over" if the teams combine to score 226 or more points.' }],
  ])('given the total %j, then it is bound to nothing', (more) => {
    expect(bound(total(more))).toEqual(UNBOUND);
  });

  it('given a whole line, then it is left out, and no person is asked: neither side may win it', () => {
    const whole = total({ question: 'Lakers vs. Warriors: O/U 224', line: 224 });
    expect(bound(whole)).toEqual({ unbound: 'no_line' });
    const unclear = (market: any) =>
      unclearPolymarketMarket(market, nbaEvent([]), { code: 'no_line', game: undefined });
    expect(unclear(whole)).toBeUndefined();
    expect(unclear(total({ question: 'O/U 220.5' }))).toMatchObject({ code: 'no_line' });
  });
});

const POSTPONED = 'If the game is postponed, this market will remain open until the game has been completed.';
const CANCELED = 'If the game is canceled entirely, with no make-up game, this market will resolve';
const SOURCE =
  'The primary resolution source for this market is the official statistics of the event as recognized by the governing body or event organizers. However, if the governing body or event organizers have not published final match statistics within 2 hours after the event’s conclusion, a consensus of credible reporting may also be used.';
const NBA = 'In the upcoming NBA game, scheduled for November 30 at 10:00PM ET:';

describe('honest texts of Polymarket', () => {
  it.each([
    [
      `${NBA}\nIf the Los Angeles Lakers win, the market will resolve to “Lakers”.\nIf the Golden State Warriors win, the market will resolve to “Warriors”.\n${POSTPONED}\n${CANCELED} 50-50.`,
    ],
    [
      `${NBA} If the Lakers win, the market will resolve to "Lakers". If the Warriors win, the market will resolve to "Warriors". The result will be determined based on the final score including any overtime periods. ${SOURCE}`,
    ],
    ['This market resolves to "Lakers" if the Lakers win. Otherwise, it resolves to "Warriors".'],
    ['If the Lakers lose, the market will resolve to "Warriors".'],
    [
      'If the Lakers win, the market will resolve to "Lakers". Overtime counts. The Lakers play at the Warriors on November 30, 2026.',
    ],
    [
      'If the Lakers win, the market will resolve to "Lakers". If the game is not completed by December 14, 2026 (11:59 PM ET), the market will resolve 50-50.',
    ],
    [''],
  ])('given the rules "%s" of a moneyline, then it is bound', (description) => {
    expect(bound(moneyline({ description }))).toBe('h2h away');
  });

  it('given titles that name the kind or the sides, then it is bound', () => {
    for (const groupItemTitle of ['', 'Moneyline', 'Match Winner', 'Lakers vs. Warriors'])
      expect(bound(moneyline({ groupItemTitle }))).toBe('h2h away');
    expect(bound(moneyline(), nbaEvent([], { title: 'Lakers vs. Warriors - More Markets' }))).toBe('h2h away');
    expect(bound(spread({ groupItemTitle: 'Warriors (-4.5)' }))).toBe('spreads home -4.5');
    expect(bound(spread({ groupItemTitle: 'Spread -4.5', outcomes: '["Warriors (-4.5)","Lakers (+4.5)"]' }))).toBe(
      'spreads home -4.5',
    );
    expect(bound(total({ groupItemTitle: 'O/U 224.5' }))).toBe('totals over 224.5');
    expect(asked(ARSENAL, { groupItemTitle: 'Arsenal FC' })).toBe('h2h home');
    expect(asked(DRAW, { groupItemTitle: 'Draw (Arsenal FC vs. Chelsea FC)' })).toBe('h2h draw');
  });

  it('given rules of lines, then the line is bound', () => {
    const margin = `${NBA} This market will resolve to "Warriors" if the Golden State Warriors win the game by 5 or more points. Otherwise, this market will resolve to "Lakers". ${POSTPONED}`;
    expect(bound(spread({ description: margin }))).toBe('spreads home -4.5');
    const taker = { outcomes: '["Lakers","Warriors"]', line: 4.5, description: margin };
    expect(bound(spread(taker))).toBe('spreads away 4.5');
    for (const amount of [
      `${NBA} This market will resolve to "Over" if the Lakers and Warriors combine to score 225 or more points in this game. If the combined total is less than 225, this market will resolve to "Under". ${CANCELED} 50-50.`,
      'This market will resolve to "Over" if the teams combine to score more than 224.5 points. Otherwise, this market will resolve to "Under".',
    ]) {
      expect(bound(total({ description: amount }))).toBe('totals over 224.5');
      expect(bound(total({ outcomes: '["Under","Over"]', description: amount }))).toBe('totals under 224.5');
    }
  });

  it('given rules of soccer after 90 minutes, then sides and draw are bound', () => {
    const rules = (condition: string) =>
      `In the upcoming game, scheduled for November 30, 2026\n\nIf ${condition}, this market will resolve to “Yes”.\nOtherwise, this market will resolve to “No”.\n${POSTPONED}\n${CANCELED} “No”.\n\nThis market refers only to the outcome within the first 90 minutes of regular play plus stoppage time.\n\n${SOURCE}`;
    expect(asked(ARSENAL, { description: rules('Arsenal FC wins') })).toBe('h2h home');
    expect(asked(DRAW, { description: rules('the game ends in a draw') })).toBe('h2h draw');
  });

  it('given a match of tennis after its tournament, then it is bound; its lines of games or sets are not', () => {
    const event = {
      slug: 'wta-swiatek-fruhvirtova-2026-11-30',
      title: "Trofeo d'Italia: Iga Swiatek vs Linda Fruhvirtova",
      startTime: '2026-11-30T09:00:00Z',
      teams: [{ name: 'Iga Swiatek' }, { name: 'Linda Fruhvirtova' }],
    };
    const match = (more: any) =>
      moneyline({
        question: event.title,
        outcomes: '["Iga Swiatek","Linda Fruhvirtova"]',
        gameStartTime: '2026-11-30 09:00:00+00',
        description:
          "This market refers to the tennis match between Iga Swiatek and Linda Fruhvirtova in the Trofeo d'Italia, originally scheduled for November 30, 2026 at 4:00AM ET.\n\nThis market will resolve to 'Iga Swiatek' if Iga Swiatek advances against Linda Fruhvirtova.\n\nThis market will resolve to 'Linda Fruhvirtova' if Linda Fruhvirtova advances against Iga Swiatek.\n\nIf the match is canceled (not played at all), ends in a tie, or is delayed beyond 7 days from the scheduled date without a winner determined, this market will resolve to 50-50.\n\nIf the match begins but is not completed, and one player advances due to the opponent's retirement, default, or disqualification, this market will resolve to the player who advances.\n\nThe primary resolution source will be official information from the WTA Tour. A consensus of credible reporting may also be used.",
        ...more,
      });
    expect(bound(match({}), event)).toBe('h2h player_1');
    expect(bound(match({ question: 'Set 1 Winner: Iga Swiatek vs Linda Fruhvirtova' }), event)).toEqual(UNBOUND);
    const games = { sportsMarketType: 'totals', question: 'O/U 22.5', line: 22.5, outcomes: '["Over","Under"]' };
    expect(bound(match({ ...games, description: undefined }), event)).toEqual(UNBOUND);
  });
});
