import type { OperationContext } from '../../api/calls/operation.ts';
import { getIntelligence } from '../../api/operations/intelligence/get-intelligence.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import type { EventIntelligence } from './intelligence-answers.ts';

/**
 * What an event's bets are worth, or were.
 * @throws ApiError not_found where it was not known
 */
export async function readLiveIntelligence(
  context: OperationContext,
  id: number,
  asOf: (AsOf & { readonly text: string }) | undefined,
): Promise<EventIntelligence> {
  const input = { id, as_of: asOf?.text, as_of_basis: asOf?.basis ?? 'recorded' };
  const { event_id, available, players, rationale, bets } = await getIntelligence.run(input, context);
  const slugs = new Set(bets.flatMap(({ fair, ev }) => [...(fair?.books ?? []), ...(ev ? [ev.book] : [])]));
  const bookmakers = Object.fromEntries([...slugs].map((slug) => [slug, context.bookmakers.nameOf(slug)]));
  return { event_id, as_of: asOf?.text ?? null, available, bookmakers, players, rationale, bets };
}
