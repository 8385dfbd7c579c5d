import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Message } from '../../api/spec/messages.ts';
import { cases } from '../../support/cases.ts';
import { at, game, inDirectory, line, past, propsServer, row } from './props-server.ts';

const DAYS = ['2026-02-18', '2026-02-20', '2026-02-23', '2026-02-26'];

const players = fc.array(
  fc.record({
    name: fc.constantFrom('Jo Young', 'J. Young', 'Al Old'),
    stats: fc.record({ points: fc.nat(40), minutes: fc.nat(40) }, { requiredKeys: ['points'] }),
    dnp: fc.boolean(),
  }),
  { maxLength: 3 },
);
const rowsOf = (some: readonly { name: string; stats: Record<string, number>; dnp: boolean }[]) =>
  some.map(({ name, stats, dnp }) => row(name, stats, { dnp, ref: name === 'J. Young' ? 'jy' : `row of ${name}` }));

/** Past games, each with at most two boxes and perhaps a withdrawn end, and lines of two bookmakers. */
const stories = fc.record({
  games: fc.array(fc.record({ first: players, second: fc.option(players), isTakenBack: fc.boolean() }), {
    minLength: 1,
    maxLength: DAYS.length,
  }),
  lines: fc.array(
    fc.record({
      book: fc.constantFrom('a', 'b'),
      who: fc.constantFrom('Jo Young', 'Al Old'),
      point: fc.integer({ min: 5, max: 8 }).map((half) => half + 0.5),
      minute: fc.integer({ min: 10, max: 59 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});
type Story = typeof stories extends fc.Arbitrary<infer One> ? One : never;

const KNOWN: Story = {
  games: [
    { first: [{ name: 'Jo Young', stats: { points: 12, minutes: 30 }, dnp: false }], second: null, isTakenBack: false },
  ],
  lines: [{ book: 'a', who: 'Jo Young', point: 7.5, minute: 30 }],
};

/** @param hour of the lines: lines older than 75 minutes do not count */
function told(
  { games, lines }: Story,
  hour: number,
): { readonly first: readonly Message[]; readonly others: readonly Message[] } {
  const pasts = games.map(({ first, second, isTakenBack }, index) => {
    const [ref, day] = [`p${index}`, DAYS[index]!];
    const [schedule, ...others] = past(ref, day, rowsOf(first));
    const box = { kind: 'box', source: 'feed', ...at('23:00', day), ref };
    if (second) others.push({ ...box, players: rowsOf(second) });
    if (isTakenBack) others.push({ kind: 'score', source: 'feed', ...at('23:30', day), ref, status: 'suspended' });
    return { schedule: schedule!, others };
  });
  const offers = lines.map(({ book, who, point, minute }) => line(book, who, point, { time: `${hour}:${minute}` }));
  return {
    first: [inDirectory('jy', 'Jo Young'), game(), ...pasts.map(({ schedule }) => schedule)],
    others: [...pasts.flatMap(({ others }) => others), ...offers],
  };
}

async function rowsAfter(first: readonly Message[], others: readonly Message[], time: string) {
  const server = await propsServer();
  try {
    server.setClock(time);
    await server.feed(...first);
    // One after another, because the messages of one batch are sorted before they are decided.
    for (const message of others) await server.feed(message);
    return await server.rows();
  } finally {
    await server.close();
  }
}

it.each([
  ['before the start', '12:00', 11],
  ['after it', '20:00', 17],
])(
  'the rows are the same in whatever order boxes, ends and lines came: %s',
  async (_, time, hour) => {
    // Make sure that there are rows.
    const known = told(KNOWN, hour);
    expect(await rowsAfter(known.first, known.others, time)).toHaveLength(1);
    await fc.assert(
      fc.asyncProperty(stories, fc.infiniteStream(fc.nat()), async (story, numbers) => {
        const { first, others } = told(story, hour);
        const keys = others.map(() => numbers.next().value as number);
        const shuffled = others.map((one, index) => ({ one, index })).sort((a, b) => keys[a.index]! - keys[b.index]!);
        const rows = await rowsAfter(first, others, time);
        expect(
          await rowsAfter(
            first,
            shuffled.map(({ one }) => one),
            time,
          ),
        ).toEqual(rows);
      }),
      { numRuns: cases(60, 8) },
    );
  },
  150_000,
);
