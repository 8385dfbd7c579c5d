import { type SpecServer, startServer } from '../../../api/spec/server.ts';
import { MESSAGES, MOMENT, REFS } from './slip-server-data.ts';

export interface SlipServer extends SpecServer {
  /**
   * Each leg of a text in one line: `lakers h2h home`, `chiefs passing_yards over 270.5 Josh Allen`. An unmapped leg
   * begins with `-` and ends with its candidates.
   */
  legsOf(text: string, clues?: Readonly<Record<string, unknown>>, more?: object): Promise<string[]>;
  readonly ids: ReadonlyMap<string, number>;
}

export async function startSlipServer(): Promise<SlipServer> {
  const server = await startServer({ now: MOMENT });
  await server.feed(...MESSAGES);
  const ids = new Map<string, number>();
  for (const ref of REFS) ids.set(ref, await server.eventId('feed', ref));
  const refs = new Map([...ids].map(([ref, id]) => [id, ref]));
  const clue = (name: string, value: unknown) =>
    name === 'event_id' && typeof value === 'string' ? (ids.get(value) ?? value) : value;
  return {
    ...server,
    ids,
    async legsOf(text, clues = {}, more = {}) {
      const given = Object.fromEntries(Object.entries(clues).map(([name, value]) => [name, clue(name, value)]));
      const { status, body } = await server.post('/v1/grade/slip', { text, clues: given }, more);
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
      return body.legs.map((leg: any) => describeGradedLeg(leg, refs));
    },
  };
}

function describeGradedLeg(leg: any, refs: ReadonlyMap<number, string>): string {
  const { result, message, market, resolve, team_resolve, event_resolve } = leg;
  const isMapped = result !== null || event_resolve?.status === 'resolved';
  if (isMapped) {
    const { event_id, market_key, side, line } = market;
    const parts = [
      refs.get(event_id),
      market_key,
      side,
      line,
      resolve.player_id === null ? null : resolve.display_name,
    ];
    const said = parts.filter((part) => part !== null).join(' ');
    return result === null ? `- ${said}: ${message}` : said;
  }
  const candidates = [
    ...(event_resolve?.candidates ?? []).map(({ event_id }: any) => refs.get(event_id)),
    ...[...(team_resolve?.candidates ?? []), ...resolve.candidates].map(({ display_name }: any) => display_name),
  ];
  return candidates.length === 0 ? `- ${message}` : `- ${message} [${candidates.join(', ')}]`;
}
