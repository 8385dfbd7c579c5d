import type { Message } from '../../api/spec/messages.ts';
import { type SpecServer, startServer } from '../../api/spec/server.ts';

/** A server whose resolvers can be asked by names instead of ids, for tables of cases. */
export interface ResolvingServer extends SpecServer {
  teamId(name: string, sport?: string): Promise<number>;
  playerId(name: string, sport?: string): Promise<number>;
  team(body: object, key?: string): Promise<any>;
  player(body: object, key?: string): Promise<any>;
}

export async function startResolverServer(...messages: readonly Message[]): Promise<ResolvingServer> {
  const server = await startServer();
  await server.feed(...messages);
  const idOf = async (list: string, member: string, name: string, sport?: string): Promise<number> => {
    const found = await server.get(
      `/v1/${list}?limit=100&q=${encodeURIComponent(name)}${sport === undefined ? '' : `&sport=${sport}`}`,
    );
    const own = found.data.filter((one: any) => one[member] === name);
    if (own.length !== 1) throw new Error(`${own.length} ${list} are called ${name}`);
    return own[0].id;
  };
  const ask = (kind: string) => async (body: object, key?: string) => {
    const answer = await server.post(`/v1/resolve/${kind}`, body, key === undefined ? {} : { key });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    ...server,
    teamId: (name, sport) => idOf('teams', 'name', name, sport),
    playerId: (name, sport) => idOf('players', 'full_name', name, sport),
    team: ask('team'),
    player: ask('player'),
  };
}

/** An answer in one line: `Chiefs (nfl) .97 short_name`, `? Bills .80, Sabres .80`, or `not_found`. */
export function summarizeAnswer(answer: any): string {
  const { status, display_name: name, sport, confidence, match_reasons: reasons, candidates } = answer;
  if (status === 'not_found') return 'not_found';
  const one = (is: any) => `${is.display_name} (${is.sport}) ${is.confidence} ${is.match_reasons.join('+')}`;
  if (status === 'ambiguous') return `? ${candidates.map(one).join(', ')}`;
  return one({ display_name: name, sport, confidence, match_reasons: reasons });
}
