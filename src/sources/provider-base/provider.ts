import type { EventStatus, SportSlug } from '../../domain/catalogue/catalogue.ts';

/** How soon a league plays: determines every interval. */
export type LeagueState = 'live' | 'soon' | 'later' | 'idle';

/** An event that the log knows, with the facts that requests depend on. */
export interface KnownEvent {
  readonly eventId: number;
  /** The provider's own id; undefined if the provider never named the event. */
  readonly ref: string | undefined;
  readonly status: EventStatus;
  /** Milliseconds. */
  readonly startsAt: number;
  /** When the server learned that the event is over, in milliseconds; undefined while it is not. */
  readonly overSince: number | undefined;
}

/** What is known of one polled league. */
export interface LeagueView {
  readonly sport: SportSlug;
  readonly league: string;
  readonly state: LeagueState;
  /** Events that are under way, start within 8 days, or started within the last two days. */
  readonly events: readonly KnownEvent[];
  /** The provider's own ids of the league's teams, in a stable order. */
  readonly teamRefs: readonly string[];
}

/** A request that is sent to a provider again and again. */
export interface ProviderRequest {
  /** Identifies the request: only one of it runs at a time, and its interval counts from the last one. */
  readonly key: string;
  /** Kind of data in a word: `scoreboard`, `summary`, `odds`. */
  readonly kind: string;
  readonly league: string | undefined;
  /** Below the provider's address, beginning with a slash. */
  readonly path: string;
  /** Without the operator's key. */
  readonly query: Readonly<Record<string, string>>;
  /** Seconds between two requests at pace 1; `once`: not sent again after a success. */
  readonly intervalSeconds: number | 'once';
  /** Milliseconds: not before this time. */
  readonly notBefore?: number;
  /** Requests of one sequence are sent one after another, this many seconds apart at pace 1. */
  readonly sequence?: { readonly name: string; readonly apart: number };
  /** Maximum cost in the provider's credits; absent: free. */
  readonly cost?: number;
  /** Of two requests that are due, the more urgent one is sent first. */
  readonly urgency: LeagueState;
  /** Sent before all other requests: its answer decides what else to request. */
  readonly isPrerequisite?: true;
}

/** An answer with status 200 whose body is JSON. */
export interface ProviderAnswer {
  /** The request; an answer from an archive has nothing else. */
  readonly request: Pick<ProviderRequest, 'path' | 'query'>;
  readonly body: unknown;
  /** When its response head arrived, minus its `Age`, in milliseconds. */
  readonly observedAt: number;
  /** When its response head arrived, in milliseconds. */
  readonly arrivedAt: number;
}

/** One part of an answer. */
export type AnswerItem =
  | { readonly message: Record<string, unknown> }
  /** Left out, with a note as in importers. */
  | { readonly note: { readonly code: string; readonly message: string } }
  /** An event of the answer that could not be read; the others are ingested. */
  | { readonly rejected: { readonly code: string; readonly message: string } }
  /** A required member is absent or has another type in a fifth of the answer's events or more. */
  | { readonly drift: { readonly path: string; readonly problem: string } };

/** The answer does not have the known outer shape: it is dropped as a whole. */
export class UnknownAnswerShape extends Error {
  readonly code = 'drift';
  /** Path of the unexpected member; empty for the whole answer. */
  readonly path: string;
  readonly problem: string;
  constructor(path: string, problem: string) {
    super(`${path || 'the answer'}: ${problem}`);
    this.name = 'UnknownAnswerShape';
    this.path = path;
    this.problem = problem;
  }
}

/**
 * The part of a connector that is specific to a provider: which requests to send, and what an answer says. It has no
 * clock and no network; the timing of requests and the handling of failures are the same for all providers. It may
 * remember contents of its answers (such as tournaments), within a memory limit.
 */
export interface Provider {
  /** The source of its messages. */
  readonly name: string;
  /** Its default address. */
  readonly address: string;
  /** The leagues that it covers; absent: not known. */
  readonly leagues?: readonly string[];
  /** All requests that it would send now, due or not: of two that are due and equally urgent, the earlier in the list
   *  is sent first. @param now in milliseconds */
  requests(leagues: readonly LeagueView[], now: number): readonly ProviderRequest[];
  /** In the answer's order. It may leave out content that it published before and that has not changed. @throws
   *  UnknownAnswerShape */
  read(answer: ProviderAnswer): AsyncIterable<AnswerItem>;
  /** It has nothing at the address of this request (400, 404, 410, 422). Its requests may be others from now on. */
  missing?(request: ProviderRequest): void;
  /** How the days ahead of each league are asked for. */
  ahead?(leagues: readonly string[]): Readonly<Record<string, 'day' | 'month'>>;
  /** Its last messages were not ingested: it must publish them again. */
  forgetPublished?(): void;
  /** Another host of the same provider that is polled beside this one, with the name of its connector. */
  readonly companion?: { readonly name: string; readonly provider: Provider };
  /** Used memory and its limit, in bytes; absent if it remembers nothing. */
  readonly memory?: { readonly bytes: number; readonly limit: number };
}

/**
 * Milliseconds for which a cache had held an answer when its response head arrived. @param headers names in lower case
 */
export const cacheAgeMs = ({ age = '' }: Readonly<Record<string, string | undefined>>): number =>
  /^\d{1,9}$/.test(age) ? Number(age) * 1000 : 0;
