import type { EventIdentity } from './event-identity.ts';
import { defineStream } from './stream-kind.ts';

interface IntelligenceData {
  IntelligencePublished: EventIdentity & {
    /** Of the fact by which the bets changed. */
    readonly at: string;
    readonly source: 'ledgerline';
    /** `nfl-1.0`; null: no model knows the sport. */
    readonly model_version: string | null;
    /** Of the whole event; null where nothing is known of its worth. */
    readonly has_recommend: boolean | null;
    /** Those that changed, as the API shows them. */
    readonly bets: readonly Readonly<Record<string, unknown>>[];
    readonly grounds: IntelligenceGrounds;
  };
}

/** What published intelligence rests on. Positions are decimal digits, for they are kept as JSON. */
export interface IntelligenceGrounds {
  /** What the server knew: every record up to this position. */
  readonly through: string;
  /** The event's own records of that moment; none where it was a result or a ranking that changed the bets. */
  readonly facts: readonly string[];
}

/** `intelligence-ID`: what the server itself found of the bets on a sports event, before its start. */
export const intelligenceStream = defineStream<IntelligenceData>()({
  name: 'intelligence',
  partition: 'event',
  versions: { IntelligencePublished: 1 },
});
