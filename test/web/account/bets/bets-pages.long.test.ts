import { afterAll, beforeAll, expect, it } from 'vitest';
import { MLB, NFL, schedule, score } from '../../../api/spec/messages.ts';
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
  const giants = [
    schedule(NFL, 'of-giants', ['New York Giants', 'Dallas Cowboys'], starts, { at }),
    schedule(MLB, 'of-other-giants', ['San Francisco Giants', 'Los Angeles Dodgers'], starts, { at }),
  ];
  await site.core.intake!.accept([value, ...giants].map((one, index) => ({ line: index + 1, value: one })));
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
    'Pinnacle, <time',
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
  const [, id] = /href="\/bets\/(\d+)"/.exec(text)!;
  const bob = await site.signedIn('bob@x.example');
  expect((await bob.get('/bets')).text).toContain('There is no bet yet.');
  expect((await bob.post(`/bets/${id}/delete`)).status).toBe(404);
  expect((await ann.post(`/bets/${id}/delete`)).location).toBe('/bets');
  expect((await ann.get('/bets')).text).not.toContain(`href="/bets/${id}"`);
});

it('a wrong sheet says the line and the column, keeps what was typed, and adds nothing', async () => {
  await feed();
  const bob = await site.signedIn('bob@x.example');
  const day = new Date(site.clock.time).toISOString().slice(0, 10);
  const right = `${day},nfl,Chiefs ML,-110,11,fanduel`;
  for (const [csv, shown] of [
    ['', 'It must hold at least 1 bet.'],
    [`${HEADER}\n${right}\n\n${day},nfl,Chiefs ML,much,11,fanduel`, 'Line 4, price: must be odds, American such as'],
    [
      `${HEADER}\n${right}\n${day},nfl,Chiefs ML,1.9,11,fanduel\n${day},nfl,Chiefs ML,150,11,fanduel`,
      'Line 4, price: may be American or decimal odds: write +150',
    ],
    [`${HEADER}\n${right}\n${day},nfl,Nobodies ML,-110,11,fanduel`, 'Line 3, text: No team “Nobodies” is known.'],
    [`${HEADER}\n${day},Quidditch,Chiefs ML,-110,11,fanduel`, 'Line 2, sport: must name a sport or a league'],
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
    [
      { pick: 'Giants ML' },
      'pick',
      '“Giants” may be several teams: New York Giants \\(nfl\\), San Francisco Giants \\(mlb\\)\\.',
    ],
  ] as const) {
    const { status, text } = await ann.post('/bets', { ...bet, ...wrong });
    expect([field, status]).toEqual([field, 422]);
    expect(text).toMatch(new RegExp(`<p class="wrong" id="field-${field}-error">${reason}`));
    expect(text).toContain('value="50"'.slice(0, field === 'stake' ? 6 : undefined));
  }
  expect((await ann.post('/bets', bet)).location).toBe('/bets');
  const { text } = await ann.get('/bets');
  expect(text).toContain('<b>Kansas City Chiefs, moneyline</b>');
  // As all pages name a game.
  expect(text).toMatch(/ at Kansas City Chiefs|Kansas City Chiefs at /);
  expect(text).toContain('<span data-price="110">+110</span>');
  expect(text).toContain('Both are – until the game begins');
});

it('a bet on a total has won or lost, whichever side was taken, and the sum of all stands above', async () => {
  const time = (hours: number) => new Date(site.clock.time + hours * 3_600_000).toISOString();
  const game = schedule(NFL, 'of-totals', ['Detroit Lions', 'Chicago Bears'], time(-3), { at: time(-5) });
  const final = score('of-totals', 'final', ['27', '20'], { at: time(-0.1) });
  await site.core.intake!.accept([game, final].map((value, index) => ({ line: index + 1, value })));
  await site.core.projected();
  await site.user('cat@x.example');
  const cat = await site.signedIn('cat@x.example');
  const placed = time(-4).slice(0, 16).replace('T', ' ');
  const rows = ['over', 'under'].map((side) => `${placed},nfl,Lions v Bears ${side} 40.5,+100,10,pinnacle`);
  await cat.post('/bets', { csv: [HEADER, ...rows].join('\n') });

  const { text } = await cat.get('/bets');

  const standings = Array.from(text.matchAll(/<b>(.*?)<\/b>.*\n<td class="standing">.*?>(\w+)</g), (found) =>
    found.slice(1),
  );
  expect(standings).toEqual([
    ['Under 40.5', 'Lost'],
    ['Over 40.5', 'Won'],
  ]);
  expect(text).toMatch(/Profit<\/h3><p class="stat">0.00<[\s\S]*Staked<\/h3><p class="stat">20.00</);
});

it('what a bet was taken at is changed in place of deleting it, by its owner alone', async () => {
  await feed();
  await site.user('dan@x.example');
  const dan = await site.signedIn('dan@x.example');
  await dan.post('/bets', { pick: 'Broncos +3.5', odds: '1.91', stake: '500', book: 'fanduel', date: '' });
  const [, path] = /<a href="(\/bets\/\d+)">Something wrong\? Change it\.</.exec((await dan.get('/bets')).text)!;
  const form = (await dan.get(path!)).text;
  for (const shown of ['Denver Broncos +3.5', 'value="1.91"', 'value="500"', 'value="fanduel"'])
    expect(form).toContain(shown);
  const bet = { odds: '1.91', stake: '50', book: 'pinnacle' };
  const refused = await dan.post(`${path}/change`, { ...bet, stake: 'much' });
  expect([refused.status, refused.text.includes('value="pinnacle"')]).toEqual([422, true]);
  expect(refused.text).toMatch(/id="field-stake-error">Must be a number/);
  const bob = await site.signedIn('bob@x.example');
  expect([(await bob.get(path!)).status, (await bob.post(`${path}/change`, bet)).status]).toEqual([404, 404]);

  expect((await dan.post(`${path}/change`, bet)).location).toBe('/bets');

  const { bets } = JSON.parse((await dan.get('/account/export')).text);
  expect(bets).toMatchObject([
    { market_key: 'spreads', side: 'away', line: 3.5, price: -110, stake: 50, book: 'pinnacle' },
  ]);
  expect((await dan.get(path!)).status).toBe(404);
});

it('a bet on a game that was looked at needs no names of it', async () => {
  await feed();
  await site.user('eve@x.example');
  const eve = await site.signedIn('eve@x.example');
  await eve.post('/bets', { pick: 'Chiefs ML', odds: '2', stake: '1', book: 'x', date: '' });
  const [kept] = JSON.parse((await eve.get('/account/export')).text).bets;
  const id = String(kept.event_id);
  const form = (await eve.get(`/bets?event=${id}`)).text;
  expect(form).toContain('Denver Broncos at Kansas City Chiefs</a>');
  expect(form).not.toContain('name="date"');
  const bet = { event: id, pick: 'over 44.5', odds: '1.91', stake: '10', book: 'pinnacle' };
  expect((await eve.post('/bets', bet)).location).toBe('/bets');
  expect(JSON.parse((await eve.get('/account/export')).text).bets[0]).toMatchObject({
    ...{ event_id: kept.event_id, market_key: 'totals', side: 'over', line: 44.5, price: -110, decimal: 1.91 },
  });
  expect((await eve.get('/bets?event=999999')).status).toBe(404);
});
