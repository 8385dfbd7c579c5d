/** An answer as a client has it. */
export interface ClientAnswer {
  readonly status: number;
  readonly body: string;
}

type Json = any;

/** Of the request, and where the changes end at present. */
const PRESENT = /"request_id":"[^"]*"|"next_after":"\d+","has_more":false/g;

/** Asks a server for everything that can be read of what it holds: every GET operation, events also as of some moments. */
export async function allAnswers(
  url: string,
  key: string,
  moments: readonly string[],
): Promise<ReadonlyMap<string, ClientAnswer>> {
  const answers = new Map<string, ClientAnswer>();
  async function ask(path: string): Promise<Json> {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const body = (await answer.text()).replace(PRESENT, '');
    answers.set(path, { status: answer.status, body });
    return answer.status === 200 ? JSON.parse(body) : undefined;
  }
  const asOf = (path: string): string[] =>
    moments.flatMap((moment) =>
      ['recorded', 'observed'].map(
        (basis) => `${path}${path.includes('?') ? '&' : '?'}as_of=${moment}&as_of_basis=${basis}`,
      ),
    );

  const { sports } = await ask('/v1/sports');
  await ask('/v1/mappings?source=feed&limit=100');
  await ask('/v1/corrections?limit=100');
  for (const after of ['0', '20', '40']) await ask(`/v1/changes?limit=2&after=${after}`);
  await ask('/v1/estimate/tools');
  const { events } = await ask('/v1/events?limit=100&include_scores=true&include_odds=true&bookmaker=all');
  await ask('/v1/events?limit=3');
  for (const { slug } of sports as { slug: string }[]) {
    await ask(`/v1/seasons?sport=${slug}&current_only=false`);
    await ask(`/v1/intelligence/record?sport=${slug}`);
    const teams = await ask(`/v1/teams?sport=${slug}&limit=50`);
    for (const { id } of (teams?.data ?? []).slice(0, 2)) await ask(`/v1/teams/${id}`);
    const players = await ask(`/v1/players?sport=${slug}&limit=50`);
    for (const { id } of (players?.data ?? []).slice(0, 2)) {
      await ask(`/v1/players/${id}`);
      await ask(`/v1/players/${id}/events`);
    }
  }
  for (const { id } of (events as { id: number }[]).slice(0, 6)) {
    const paths = [
      '',
      '/score',
      '/odds?bookmaker=all',
      '/odds/history',
      '/odds/summary',
      '/period-odds',
      '/team-props',
    ];
    for (const path of [...paths, '/player-props', '/splits', '/stats', '/injuries', '/intelligence']) {
      const whole = `/v1/events/${id}${path}`;
      for (const one of [whole, ...asOf(whole)]) await ask(one);
    }
  }
  await ask('/api/agent/credit-packs');
  return answers;
}

/** Paths whose answers differ, with both. */
export function differing(a: ReadonlyMap<string, ClientAnswer>, b: ReadonlyMap<string, ClientAnswer>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((path) => {
    const [first, second] = [a.get(path), b.get(path)];
    if (first && second && first.status === second.status && first.body === second.body) return [];
    return [
      `${path}\n  ${first?.status} ${first?.body.slice(0, 700)}\n  ${second?.status} ${second?.body.slice(0, 700)}`,
    ];
  });
}
