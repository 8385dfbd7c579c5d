import { expect } from 'vitest';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { readPropForecasts } from '../../../src/api/operations/intelligence/prop-forecasts.ts';
import { readDocument } from '../../../src/api/operations/shared/read-documents.ts';
import type { AsOf } from '../../../src/read-models/as-of/as-of.ts';
import { type Message, NBA, odds, player, schedule, score, team } from '../../api/spec/messages.ts';
import { type ComposedOptions, composed } from '../../support/composed.ts';

/** The start of the forecast game. */
export const START = '2026-03-01T18:00:00Z';
export const at = (time: string, day = '2026-03-01') => ({ at: `${day}T${time}:00Z` });
const SIDES = ['Hawks', 'Bulls'] as const;

/** The forecast game. */
export const game = (more: object = {}): Message => schedule(NBA, 'g', SIDES, START, { ...at('05:00'), ...more });

interface LineFacts {
  readonly time?: string;
  readonly key?: string;
  /** Prices of over and under; null: none. */
  readonly prices?: readonly (number | null)[];
  readonly alternate?: boolean;
}

/** A prop of one bookmaker on a player. */
export const line = (
  book: string,
  who: string | object,
  point: number,
  { time = '11:59', key = 'points', prices = [-110, -110], ...more }: LineFacts = {},
): Message =>
  odds(
    'g',
    book,
    [
      {
        key,
        outcomes: ['over', 'under'].flatMap((outcome, side) =>
          prices[side] === null
            ? []
            : [{ outcome, point, price: prices[side], ...(typeof who === 'string' ? { player: who } : who) }],
        ),
        ...more,
      },
    ],
    at(time),
  );

type Row = Record<string, unknown> & { readonly name: string };
export const row = (name: string, stats: Record<string, number>, more: object = {}): Row => ({
  ref: `row of ${name}`,
  name,
  role: 'home',
  stats,
  ...more,
});

/** An earlier game of the same team: its schedule, its end, and its box an hour later. */
export function past(ref: string, day: string, players: readonly Row[], more: object = {}): Message[] {
  return [
    schedule(NBA, ref, ['Hawks', `Guests ${ref}`], `${day}T18:00:00Z`, at('05:00', day)),
    score(ref, 'final', ['100', '90'], at('21:00', day)),
    { kind: 'box', source: 'feed', ...at('22:00', day), ref, final: true, players, ...more },
  ];
}

export const home = team(NBA, 'hawks', 'Hawks', 'ATL', at('04:00'));
export const inDirectory = (ref: string, name: string, more: object = {}): Message =>
  player('nba', ref, name, { ...at('04:00', '2026-01-01'), ...more });

/** The real server, asked for the forecasts of the players of one game. */
export async function propsServer(options: Pick<ComposedOptions, 'folder'> = {}) {
  const opened = await composed({ ...options, time: Date.parse('2026-03-01T12:00:00Z') });
  const { clock, core, ports, server } = opened;
  await core.runner.start();
  const { context } = server;
  const reader = { ...context, now: () => clock.time } as Parameters<typeof readPropForecasts>[0];
  return {
    clock,
    ports,
    setClock(time: string, day = '2026-03-01') {
      clock.time = Date.parse(`${day}T${time}:00Z`);
    },
    async feed(...messages: readonly Message[]): Promise<void> {
      const { outcomes } = await core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
      expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
      await core.projected();
    },
    async rows(asOf?: AsOf) {
      const { id } = (await ports.identities.findEvent('feed', 'g'))!;
      const event = (await readDocument<EventDocument>(reader, events, String(id), asOf))!;
      return readPropForecasts(reader, event, { asOf, reliability: 'emerging' });
    },
    close: opened.close,
  };
}
export type PropsServer = Awaited<ReturnType<typeof propsServer>>;
