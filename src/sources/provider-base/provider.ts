import type { EventStatus, SportSlug } from '../../domain/catalogue/catalogue.ts';

/** How soon a league plays: by it every interval is chosen. */
export type LeagueState = 'live' | 'soon' | 'later' | 'idle';

/** A sports event that the log knows, as far as asking depends on it. */
export interface KnownEvent {
  readonly eventId: number;
  /** The provider's own id of it; undefined where the provider never named it. */
  readonly ref: string | undefined;
  readonly status: EventStatus;
  /** Milliseconds. */
  readonly startsAt: number;
  /** When the server learned that it is over, in milliseconds; undefined while it is not. */
  readonly overSince: number | undefined;
}

/** What is known of one league that is polled. */
export interface LeagueView {
  readonly sport: SportSlug;
  readonly league: string;
  readonly state: LeagueState;
  /** Those that are under way, start within 8 days, or started within the last two. */
  readonly events: readonly KnownEvent[];
  /** The provider's own ids of the league's teams, in an order that stays. */
  readonly teamRefs: readonly string[];
}

/** Something to ask a provider, again and again. */
export interface ProviderRequest {
  /** Names it: it is asked once at a time, and its interval counts from the last time that it was asked. */
  readonly key: string;
  /** What it asks for, in a word: `scoreboard`, `summary`, `odds`. */
  readonly kind: string;
  readonly league: string | undefined;
  /** Below the provider's address, beginning with a slash. */
  readonly path: string;
  /** Without the operator's key. */
  readonly query: Readonly<Record<string, string>>;
  /** Seconds between two askings at pace 1; `once`: it is not asked again after a success. */
  readonly intervalSeconds: number | 'once';
  /** Milliseconds: not before. */
  readonly notBefore?: number;
  /** Questions of one line are asked one after another, this many seconds apart at pace 1. */
  readonly sequence?: { readonly name: string; readonly apart: number };
  /** What it costs at most, in the provider's credits; absent: nothing. */
  readonly cost?: number;
  /** Of two that are due the more urgent one goes first. */
  readonly urgency: LeagueState;
  /** Nothing else is asked before it was: it tells what there is to ask for. */
  readonly isPrerequisite?: true;
}

/** An answer with status 200 whose body is JSON. */
export interface ProviderAnswer {
  /** What was asked: all that is known of an answer which comes from an archive. */
  readonly request: Pick<ProviderRequest, 'path' | 'query'>;
  readonly body: unknown;
  /** When its head arrived, less its `Age`, in milliseconds. */
  readonly observedAt: number;
  /** When its head arrived, in milliseconds. */
  readonly arrivedAt: number;
}

/** What became of a part of an answer. */
export type AnswerItem =
  | { readonly message: Record<string, unknown> }
  /** Left out, as importers note it. */
  | { readonly note: { readonly code: string; readonly message: string } }
  /** An event of the answer that could not be read; the others go in. */
  | { readonly rejected: { readonly code: string; readonly message: string } }
  /** A member that is needed is absent, or of another type, in a fifth of the answer's events or more. */
  | { readonly drift: { readonly path: string; readonly problem: string } };

/** The answer is not of the outer shape that is known: it is dropped whole. */
export class UnknownAnswerShape extends Error {
  readonly code = 'drift';
  /** Of the member that is not as expected; empty for the whole answer. */
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
 * A provider, as far as it is its own: what to ask, and what an answer says. It has no clock and no network; when a
 * question is really asked, and what becomes of a failure, is the same for all providers. It may remember what its
 * answers told (which tournaments there are), within a bound.
 */
export interface Provider {
  /** The source of its messages. */
  readonly name: string;
  /** Its address where no setting names another one. */
  readonly address: string;
  /**
   * Everything that it would ask now, due or not: of two that are due and equally urgent, the earlier in the list goes
   * first. @param now in milliseconds
   */
  requests(leagues: readonly LeagueView[], now: number): readonly ProviderRequest[];
  /** In the answer's order. What it told before and is still so it may leave out. @throws UnknownAnswer */
  read(answer: ProviderAnswer): AsyncIterable<AnswerItem>;
  /** What it told was not taken in: it tells it again. */
  forgetPublished?(): void;
  /** What it remembers, and at most may, in bytes; absent where it remembers nothing. */
  readonly memory?: { readonly bytes: number; readonly limit: number };
}

/** Milliseconds for which a cache had held an answer when its head arrived. @param headers in lower case */
export const cacheAgeMs = ({ age = '' }: Readonly<Record<string, string | undefined>>): number =>
  /^\d{1,9}$/.test(age) ? Number(age) * 1000 : 0;
