import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProgram } from '../../../src/server/lab/lab-program.ts';
import { game, type LabWorld, labWorld, moneyline } from './lab-world.ts';
import { atEachChange, startSource } from './programs.ts';

let world: LabWorld;
beforeAll(async () => {
  world = await labWorld([...game(), moneyline('12:00:00', 'pinnacle', -150, 130)]);
});
afterAll(() => world.close());

const bet = (members: string) =>
  atEachChange(`say({ bet: { event_id: 1, market: 'h2h', outcome: 'home', stake: 1, ${members} } })`);

it('a program that only listens ends well', async () => {
  expect(await world.play(startSource(atEachChange('')))).toMatchObject({ changes: 4, bets: 0, profit: null });
});

it.each([
  ['ends early', 'await next(); process.exit(0);', 'the program ended with exit code 0 before the run did'],
  ['fails', 'await next(); process.exit(3);', 'the program ended with exit code 3 before the run did'],
  ['fails at the end', `${atEachChange('')} process.exit(4);`, 'the program ended with exit code 4'],
  ['writes no JSON', `console.log('hello');`, 'the program wrote a line that is no JSON: hello'],
  ['writes a list', `console.log('[]');`, 'the program wrote a line that is no JSON object: []'],
  ['writes nothing in a line', `console.log('{}');`, 'a line without a member'],
  ['writes an unknown member', atEachChange('say({ look: 1 })'), 'unknown member, look; there are ask, bet and next'],
  ['writes two members', atEachChange('say({ next: true, ask: {} })'), 'a line has one member, not next and ask'],
  ['writes next as false', atEachChange('say({ next: false })'), 'next must be true'],
  ['asks without a path', atEachChange('say({ ask: {} })'), 'ask.path must be a text'],
  ['asks with more', atEachChange(`say({ ask: { path: '/v1', at: 1 } })`), 'ask has an unknown member, at'],
  ['bets a text', bet(`stake: '5'`), 'bet.stake must be a number above 0'],
  ['bets nothing', bet('stake: 0'), 'bet.stake must be a number above 0'],
  ['bets at no price', bet('min_price: 50'), 'bet.min_price must be American odds'],
  ['bets with more', bet('odds: 1'), 'bet has an unknown member, odds; there are event_id, market'],
  [
    'floods with lines',
    `for (;;) process.stdout.write('{"next":true}\\n'.repeat(1000));`,
    /(its turn was over|lines ahead)/,
  ],
  ['floods with one line', `for (;;) process.stdout.write('x'.repeat(100000));`, 'a line of more than 65536 bytes'],
  [
    'floods with bets',
    atEachChange(
      'for (let i = 0; i < 10_001; i++) say({ bet: { event_id: 1, market: "h2h", outcome: "home", stake: 1 } })',
    ),
    'more than 10000 lines in one turn',
  ],
  ['goes on after its turn', atEachChange(`process.stdout.write('{"next":true}\\n')`), 'its turn was over'],
  ['asks for what is later', atEachChange(`await ask('/v1/events/1?as_of=2026-02-01T00:00:00Z')`), 'for what is later'],
] as const)('a program that %s ends the run with a reason', async (_, source, reason) => {
  const program = startSource(source);
  try {
    await expect(world.play(program)).rejects.toThrow(reason);
  } finally {
    program.kill();
  }
});

it('a program that says nothing in its turn ends the run', async () => {
  const program = startSource('await next(); setInterval(() => {}, 1000);', { silence: 1500 });
  try {
    await expect(world.play(program)).rejects.toThrow('the program was silent for 1.5 s in its turn');
  } finally {
    program.kill();
  }
});

it('a program that stays at the end is killed, and the run stands', async () => {
  const program = startSource(`setInterval(() => {}, 1000); ${atEachChange('')}`, { ending: 200 });
  expect(await world.play(program)).toMatchObject({ changes: 4 });
});

it('a program that is not there is named', async () => {
  const program = startProgram({ command: ['./no-such'], folder: '/', env: {}, silence: 30_000, ending: 100 });
  await expect(world.play(program)).rejects.toThrow(
    'the program ./no-such cannot be started: there is no such program',
  );
});
