import { expect, it } from 'vitest';
import type { Position } from '../../../src/domain/event-sourcing/position.ts';
import { type Message, minute, pricesOf, scheduleOf, scoreOf } from '../feed-messages.ts';
import type { IntakeWorld } from '../intake.contract.ts';
import { newIntakeWorld } from '../intake-world.ts';

const THROTTLE_MS = 60_000;
const seconds = (message: Message, more: number): Message => ({
  ...message,
  at: new Date(Date.parse(String(message['at'])) + more * 1000).toISOString(),
});
const team = {
  kind: 'team',
  source: 'a',
  at: minute(1),
  sport: 'nfl',
  league: 'nfl',
  ref: 't1',
  name: 'Bears',
  abbreviation: 'CHI',
};
const told: readonly (readonly [string, Message])[] = [
  ['schedule', seconds(scheduleOf('a', { round: 'Week 1' }), 1)],
  ['score', scoreOf('a', 5, 7)],
  ['odds', pricesOf('a', 5, -110)],
  [
    'splits',
    {
      kind: 'splits',
      source: 'a',
      at: minute(-60),
      ref: 'a-1',
      markets: { moneyline: { home: { bets_pct: 60, handle_pct: 50 }, away: { bets_pct: 40, handle_pct: 50 } } },
    },
  ],
  ['box', { kind: 'box', source: 'a', at: minute(5), ref: 'a-1', teams: { home: { points: 7 }, away: { points: 0 } } }],
  [
    'lineup',
    {
      kind: 'lineup',
      source: 'a',
      at: minute(5),
      ref: 'a-1',
      teams: { home: { players: [{ name: 'Ann', starter: true }] }, away: { players: [] } },
    },
  ],
  [
    'injury',
    {
      kind: 'injury',
      source: 'a',
      at: minute(5),
      sport: 'nfl',
      league: 'nfl',
      player: 'Ann Ace',
      team: 'Chiefs',
      status: 'out',
    },
  ],
  [
    'injuries checked',
    { kind: 'injury', source: 'a', at: minute(5), sport: 'nfl', league: 'nfl', ref: 'a-1', checked: true },
  ],
  ['team', team],
];

async function typesAfter({ log }: IntakeWorld, position: Position | null): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const page of log.readAllFrom(position)) types.push(...page.map(({ type }) => type));
  return types;
}

it.each(told)(
  'given a %s message, what says the same within a minute appends nothing, by another intake of the log too',
  async (_, message) => {
    const world = await newIntakeWorld();
    const accept = async (one: Message, throttleMs: number | undefined) => {
      const intake = await world.open();
      const { outcomes } = await intake.accept([
        { line: 1, value: one, ...(throttleMs === undefined ? {} : { throttleMs }) },
      ]);
      return outcomes[0]!.status;
    };
    await accept(scheduleOf('a'), undefined);
    expect(await accept(message, THROTTLE_MS)).toBe('accepted');
    const head = await world.log.head();
    expect(await accept(seconds(message, 59), THROTTLE_MS)).toBe('unchanged');
    expect(await world.log.head()).toBe(head);
    // It is the last time that was recorded which counts.
    expect(await accept(seconds(message, 60), THROTTLE_MS)).toBe('accepted');
    expect(await accept(seconds(message, 61), undefined)).toBe('accepted');
    await world.close();
  },
);

const bookmakerPrices = (source: string, ref: string) => ({
  ...pricesOf(source, 5, -110),
  ...{ ref, bookmaker: 'pinnacle' },
});
const shares = (source: string, ref: string) => ({
  kind: 'splits',
  ...{ source, at: minute(-60), ref },
  markets: { moneyline: { home: { bets_pct: 60, handle_pct: 50 }, away: { bets_pct: 40, handle_pct: 50 } } },
});

it.each([
  ['prices', bookmakerPrices],
  ['splits', shares],
])(
  'given %s of two sources and two refs that say the same, when they repeat them in turn, then each is recorded once a minute',
  async (_, said) => {
    const world = await newIntakeWorld();
    const intake = await world.open();
    const say = async (more: number, source: string, ref: string) => {
      const value = seconds(said(source, ref), more);
      return (await intake.accept([{ line: 1, value, throttleMs: THROTTLE_MS }])).outcomes[0]!.status;
    };
    await intake.accept([
      { line: 1, value: scheduleOf('a') },
      { line: 2, value: scheduleOf('b') },
      { line: 3, value: { ...scheduleOf('a'), ref: 'a-2' } },
    ]);
    const reporters = [
      ['a', 'a-1'],
      ['b', 'b-1'],
      ['a', 'a-2'],
    ] as const;
    const round = async (from: number) => {
      const told: string[] = [];
      for (const [index, [source, ref]] of reporters.entries()) told.push(await say(from + index, source, ref));
      return told;
    };
    expect(await round(0)).toEqual(['accepted', 'accepted', 'accepted']);
    const head = await world.log.head();
    expect(await round(10)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(await round(50)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(await world.log.head()).toBe(head);
    expect(await round(62)).toEqual(['accepted', 'accepted', 'accepted']);
    await world.close();
  },
);

it('given other content within the minute, it is recorded, and what stood before too', async () => {
  const world = await newIntakeWorld();
  const intake = await world.open();
  const values = [
    scheduleOf('a'),
    scoreOf('a', 5, 7),
    seconds(scoreOf('a', 5, 9), 10),
    seconds(scoreOf('a', 5, 7), 20),
  ];
  const { outcomes } = await intake.accept(values.map((value, line) => ({ line, value, throttleMs: THROTTLE_MS })));
  expect(outcomes.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
  await world.close();
});

it('given a sender that forgot what it said, when another source has said something else since, then only news is recorded', async () => {
  const world = await newIntakeWorld();
  const intake = await world.open();
  const round = (source: string, week: string, more: number) => ({
    line: 1,
    throttleMs: THROTTLE_MS,
    senderForgets: true,
    value: seconds(scheduleOf(source, { round: week }), more),
  });
  const statusOf = async (item: ReturnType<typeof round>) => (await intake.accept([item])).outcomes[0]!.status;

  expect(await statusOf(round('a', 'Week 1', 0))).toBe('accepted');
  expect(await statusOf(round('b', 'Week One', 10))).toBe('accepted');
  const head = await world.log.head();
  expect(await statusOf(round('a', 'Week 1', 20))).toBe('unchanged');
  expect(await statusOf(round('b', 'Week One', 69))).toBe('unchanged');
  expect(await world.log.head()).toBe(head);
  expect(await statusOf(round('a', 'Week 2', 25))).toBe('accepted');
  expect(await statusOf(round('a', 'Week 1', 30))).toBe('accepted');
  expect(await statusOf(round('b', 'Week One', 70))).toBe('accepted');
  await world.close();
});

it('given a sender that forgot what it said, when it has said something of another bookmaker since, then a repetition stays one', async () => {
  const world = await newIntakeWorld();
  const intake = await world.open();
  const say = async (more: number, ...values: readonly Message[]) => {
    const items = values.map((value, line) => ({
      line,
      throttleMs: THROTTLE_MS,
      senderForgets: true,
      value: seconds(value, more),
    }));
    return (await intake.accept(items)).outcomes.map(({ status }) => status);
  };
  const of = (bookmaker: string, source: string, price: number) => ({ ...pricesOf(source, 5, price), bookmaker });
  for (const source of ['a', 'b']) await intake.accept([{ line: 1, value: scheduleOf(source) }]);
  expect(await say(0, of('x', 'a', -110))).toEqual(['accepted']);
  expect(await say(10, of('x', 'b', -120))).toEqual(['accepted']);
  expect(await say(20, of('w', 'a', -115), of('x', 'a', -110))).toEqual(['accepted', 'unchanged']);
  await world.close();
});

it('given an injured player whom nobody knows, when it is said again within a minute, then it does not wait twice', async () => {
  const world = await newIntakeWorld();
  const intake = await world.open();
  const injury = told.find(([name]) => name === 'injury')![1];
  await intake.accept([{ line: 1, value: scheduleOf('a') }]);
  for (const more of [0, 20]) await intake.accept([{ line: 1, value: seconds(injury, more), throttleMs: THROTTLE_MS }]);
  const head = await world.log.head();

  const about = { sport: 'nfl', league: 'nfl', team: 'Chiefs', ref: 'p1', full_name: 'Ann Ace' };
  await intake.accept([{ line: 1, value: { kind: 'player', source: 'a', at: minute(6), ...about } }]);

  const types = await typesAfter(world, head);
  expect(types).toContain('InjuredPlayerIdentified');
  expect(types).not.toContain('InjuryReconfirmed');
  await world.close();
});

it.each([
  ['injury', told.find(([name]) => name === 'injury')![1]],
  ['score', scoreOf('a', 5, 7)],
])(
  'given a %s message that waits, when a sender that forgot it says it again within a minute, then it is recorded once',
  async (_, message) => {
    const world = await newIntakeWorld();
    for (const more of [0, 20, 70]) {
      const intake = await world.open();
      const value = seconds(message, more);
      const { outcomes } = await intake.accept([{ line: 1, value, throttleMs: THROTTLE_MS, senderForgets: true }]);
      expect(outcomes[0]!.status).toBe('quarantined');
    }
    const intake = await world.open();
    await intake.accept([{ line: 1, value: scheduleOf('a') }]);

    const types = await typesAfter(world, null);
    // What was said 70 seconds later is recorded, as of one that knows what it has said.
    expect(types.filter((type) => /^(Injury|Score)/.test(type))).toHaveLength(2);
    await world.close();
  },
);

it('given what two sources say in turn while it waits, then what each says again within a minute is recorded once', async () => {
  const world = await newIntakeWorld();
  const injury = told.find(([name]) => name === 'injury')![1];
  for (const more of [0, 20]) {
    for (const [source, status] of [
      ['a', 'out'],
      ['b', 'questionable'],
    ] as const) {
      const intake = await world.open();
      const value = seconds({ ...injury, source, status }, source === 'a' ? more : more + 1);
      await intake.accept([{ line: 1, value, throttleMs: THROTTLE_MS, senderForgets: true }]);
    }
  }
  const intake = await world.open();
  await intake.accept([{ line: 1, value: scheduleOf('a') }]);

  expect((await typesAfter(world, null)).filter((type) => type.startsWith('Injury'))).toEqual([
    'InjuryReported',
    'InjuryReported',
  ]);
  await world.close();
});
