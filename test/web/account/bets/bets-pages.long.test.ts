import { afterAll, beforeAll, expect, it } from 'vitest';
import { NFL, schedule } from '../../../api/spec/messages.ts';
import { type WholeSite, wholeSite } from '../whole-application.ts';

let site: WholeSite;
beforeAll(async () => {
  site = await wholeSite();
  await site.user('ann@x.example');
  await site.user('bob@x.example');
});
afterAll(() => site.close());

const HEADER = 'Date,Sport,Pick,Odds,Stake,Book';

async function feed(): Promise<void> {
  const starts = new Date(site.clock.time + 3_600_000).toISOString();
  const at = new Date(site.clock.time - 3_600_000).toISOString();
  const value = schedule(NFL, 'of-bets', ['Kansas City Chiefs', 'Denver Broncos'], starts, { at });
  await site.core.intake!.accept([{ line: 1, value }]);
  await site.core.projected();
}

it('an owner pastes bets, sees them with what they are worth, and deletes one', async () => {
  await feed();
  const ann = await site.signedIn('ann@x.example');
  expect((await ann.get('/bets')).text).toContain('There is no bet yet.');
  const day = new Date(site.clock.time).toISOString().slice(0, 10);
  const csv = `${HEADER}\n${day},nfl,Chiefs ML,-110,11,<FanDuel>\n${day},nfl,Broncos +3.5,1.91,20,pinnacle`;
  expect((await ann.post('/bets', { csv })).location).toBe('/bets');
  const { text } = await ann.get('/bets');
  expect(text).toContain('2 bets are added.');
  for (const shown of [
    'Kansas City Chiefs, moneyline',
    'Denver Broncos +3.5',
    '&lt;FanDuel&gt;',
    '31.00',
    '<td>Pinnacle</td>',
  ]) {
    expect(text).toContain(shown);
  }
  expect((await ann.get('/bets?by=market')).text).toMatch(
    /<th scope="row">Spread<\/th><td class="number">1<\/td><td class="number">20.00<\/td>/,
  );
  const kept = JSON.parse((await ann.get('/account/export')).text);
  expect(kept.bets).toMatchObject([
    { market_key: 'spreads', side: 'away', price: -110 },
    { market_key: 'h2h', stake: 11 },
  ]);
  const [, id] = /\/bets\/(\d+)\/delete/.exec(text)!;
  const bob = await site.signedIn('bob@x.example');
  expect((await bob.get('/bets')).text).toContain('There is no bet yet.');
  expect((await bob.post(`/bets/${id}/delete`)).status).toBe(404);
  expect((await ann.post(`/bets/${id}/delete`)).location).toBe('/bets');
  expect((await ann.get('/bets')).text).not.toContain(`/bets/${id}/delete`);
});

it('a wrong sheet says the line and the column, keeps what was typed, and adds nothing', async () => {
  await feed();
  const bob = await site.signedIn('bob@x.example');
  const day = new Date(site.clock.time).toISOString().slice(0, 10);
  const right = `${day},nfl,Chiefs ML,-110,11,fanduel`;
  for (const [csv, shown] of [
    ['', 'It must hold at least 1 bet.'],
    [`${HEADER}\n${right}\n\n${day},nfl,Chiefs ML,even,11,fanduel`, 'Line 4, price: must be an integer'],
    [`${HEADER}\n${right}\n${day},nfl,Nobodies ML,-110,11,fanduel`, 'Line 3, text: No team “Nobodies” is known.'],
    [`${HEADER}\n${day},nfl,Chiefs ML,-110,,fanduel`, 'Line 2, stake: is required.'],
    [`${HEADER}\n${'x'.repeat(50_000)}`, 'Line 2'],
  ] as const) {
    const { status, text } = await bob.post('/bets', { csv });
    expect([csv.slice(0, 80), status]).toEqual([csv.slice(0, 80), 422]);
    expect(text).toContain(shown);
    expect(text).toContain(csv.split('\n')[0]!);
  }
  expect((await bob.get('/bets')).text).toContain('There is no bet yet.');
});

it('an owner keeps one bet as he says it; a wrong field has its reason beside it', async () => {
  await feed();
  const ann = await site.signedIn('ann@x.example');
  const bet = { pick: 'Chiefs ML', odds: '2.10', stake: '50', book: 'pinnacle', date: '' };
  for (const [wrong, field, reason] of [
    [{ stake: 'much' }, 'stake', 'Must be a number'],
    [{ odds: '' }, 'odds', 'Is required'],
    [{ pick: 'Nobodies ML' }, 'pick', 'No team “Nobodies” is known'],
  ] as const) {
    const { status, text } = await ann.post('/bets', { ...bet, ...wrong });
    expect([field, status]).toEqual([field, 422]);
    expect(text).toMatch(new RegExp(`<p class="wrong" id="field-${field}-error">${reason}`));
    expect(text).toContain('value="50"'.slice(0, field === 'stake' ? 6 : undefined));
  }
  expect((await ann.post('/bets', bet)).location).toBe('/bets');
  const { text } = await ann.get('/bets');
  expect(text).toContain('<b>Kansas City Chiefs, moneyline</b>');
  expect(text).toContain('<span data-price="110">+110</span>');
  expect(text).toContain('Fair close and CLV: – until the game begins');
});
