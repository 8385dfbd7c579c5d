import { parseMessage } from '../../src/domain/feed/parse-message.ts';
import { parseTime } from '../../src/domain/primitives/time.ts';
import type { KnownEvent, LeagueView, Provider, ProviderRequest } from '../../src/sources/provider-base/provider.ts';
import type { Message, Note } from './importing.ts';

export const NOW = parseTime('2026-11-23T18:00:00Z')!;

type Address = Pick<ProviderRequest, 'path' | 'query'>;

/** What a provider reads in an answer. Every message must be one that the feed contract takes. */
export async function readLive(
  provider: Provider,
  request: Address,
  body: unknown,
  { arrivedAt = NOW, age = 0 }: { arrivedAt?: number; age?: number } = {},
) {
  const messages: Message[] = [];
  const rejected: Note[] = [];
  const notes: Note[] = [];
  const drift: { path: string; problem: string }[] = [];
  for await (const item of provider.read({ request, body, arrivedAt, observedAt: arrivedAt - age })) {
    if ('rejected' in item) rejected.push(item.rejected);
    else if ('note' in item) notes.push(item.note);
    else if ('drift' in item) drift.push(item.drift);
    else {
      const parsed = parseMessage(item.message);
      if ('rejection' in parsed) throw new Error(`${parsed.rejection.message}: ${JSON.stringify(item.message)}`);
      messages.push(JSON.parse(JSON.stringify(item.message)));
    }
  }
  const of = (kind: string): Message[] => messages.filter((message) => message['kind'] === kind);
  return { messages, rejected, notes, drift, of };
}

export const view = (given: Partial<LeagueView> = {}): LeagueView => ({
  sport: 'nfl',
  league: 'nfl',
  state: 'idle',
  events: [],
  teamRefs: [],
  ...given,
});

/** An event that starts in an hour, unless it is told otherwise. */
export const known = (given: Partial<KnownEvent> = {}): KnownEvent => ({
  eventId: 1,
  ref: 'e1',
  status: 'scheduled',
  startsAt: NOW + 3_600_000,
  overSince: undefined,
  ...given,
});
