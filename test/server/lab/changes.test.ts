import { expect, it, onTestFinished } from 'vitest';
import { injury, NFL } from '../../api/spec/messages.ts';
import { at, game, labWorld, moneyline } from './lab-world.ts';

const open = async (messages: Parameters<typeof labWorld>[0]) => {
  const world = await labWorld(messages);
  onTestFinished(() => world.close());
  return world;
};

const told = async (messages: Parameters<typeof labWorld>[0], options = {}) =>
  (await (await open(messages)).run(() => [], options)).told;

it('a program is told every price, the first one and those that stay too, in the order of observation', async () => {
  const [schedule, end] = game();
  // The last report comes first.
  const lines = await told([
    schedule!,
    moneyline('14:00:00', 'pinnacle', -160, 140),
    moneyline('13:00:00', 'pinnacle', -150, 130),
    moneyline('12:00:00', 'pinnacle', -150, 130),
    end!,
  ]);

  const prices = lines.filter(({ change }) => change.type === 'line_move' && change.data.outcome === 'Lions g1');
  expect(prices.map(({ now, change: { data } }) => [now, data.price_from, data.price_to, data.moved_at])).toEqual([
    [at('12:00:00'), null, -150, at('12:00:00')],
    [at('13:00:00'), -150, -150, at('12:00:00')],
    [at('14:00:00'), -150, -160, at('14:00:00')],
  ]);
  expect(lines.map(({ now }) => now)).toEqual(lines.map(({ now }) => now).toSorted());
  expect(lines.slice(-2).map(({ change }) => [change.type, change.data.to ?? change.data.scores[0].score])).toEqual([
    ['status', 'final'],
    ['score', '27'],
  ]);
});

it('a move is the change that the API has of it', async () => {
  const world = await open([
    ...game(),
    moneyline('12:00:00', 'pinnacle', -150, 130),
    moneyline('13:00:00', 'pinnacle', -160, 130),
  ]);
  const { told: lines } = await world.run(() => []);

  const [move] = lines.filter(({ change }) => change.data.price_from === -150 && change.data.price_to === -160);
  const history = await world.lab.answer('/v1/events/1/odds/history', Date.parse(at('23:00:00')));
  const { movements } = JSON.parse(history);
  expect(movements).toHaveLength(1);
  expect(move.change.data).toEqual({ event_id: 1, ...movements[0] });
  expect(Object.keys(move.change)).toEqual('id type event_id sport league at recorded_at data'.split(' '));
});

it('what was known before the first day counts, and is not told', async () => {
  const messages = [
    ...game(),
    moneyline('12:00:00', 'pinnacle', -150, 130),
    moneyline('13:00:00', 'pinnacle', -160, 130),
  ];
  const from = Date.parse(at('12:30:00'));
  const [first] = await told(messages, { from });

  expect(first.change.data).toMatchObject({ price_from: -150, price_to: -160 });
});

it('only the asked league is played', async () => {
  const messages = [...game(), moneyline('12:00:00', 'pinnacle', -150, 130)];

  expect(await told(messages, { league: 'nba' })).toEqual([]);
  expect(await told(messages, { league: 'nfl' })).toHaveLength(4);
});

it('an injury is a change of the next game of its team as the program knows it', async () => {
  const lines = await told([
    ...game(),
    injury(NFL, 'Lions g1', 'A. Passer', 'out', { at: at('15:00:00') }),
    injury(NFL, 'Lions g1', 'B. Runner', 'out', { at: at('22:00:00') }),
  ]);

  const injuries = lines.filter(({ change }) => change.type === 'injury');
  expect(injuries.map(({ now, change }) => [now, change.event_id, change.data.player])).toEqual([
    [at('15:00:00'), 1, 'A. Passer'],
  ]);
});

it('a price that is suspect is told when it is released, as the API tells it, and never if its book replaces it', async () => {
  const [schedule, end] = game();
  const others = ['pinnacle', 'circa', 'betmgm'].map((book) => moneyline('12:00:00', book, -110, -110));
  const lines = await told([
    schedule!,
    ...others,
    moneyline('12:00:00', 'fanduel', -110, -120),
    // A mistake, and its correction.
    moneyline('12:10:00', 'fanduel', 150, -120),
    moneyline('12:20:00', 'fanduel', -115, -120),
    // News that the book has alone, until it repeats it, and then until another one follows.
    moneyline('12:30:00', 'fanduel', 160, -120),
    moneyline('12:40:00', 'fanduel', 160, -120),
    moneyline('12:50:00', 'fanduel', 400, -120),
    moneyline('13:00:00', 'circa', 380, -110),
    end!,
  ]);
  const prices = lines
    .filter(
      ({ change: { type, data } }) =>
        type === 'line_move' && data.outcome === 'Lions g1' && data.bookmaker === 'fanduel',
    )
    .map(({ now, change: { data } }) => [now, data.price_from, data.price_to, data.moved_at]);
  expect(prices).toEqual([
    [at('12:00:00'), null, -110, at('12:00:00')],
    [at('12:20:00'), -110, -115, at('12:20:00')],
    [at('12:40:00'), -115, 160, at('12:40:00')],
    [at('13:00:00'), 160, 400, at('13:00:00')],
  ]);
});
