import type { Visitor } from '../principal.ts';

/** The answer to a program that asks for a key (RFC 8628). */
export interface DeviceRequest {
  /** The program's secret, by which it fetches the key. */
  readonly device_code: string;
  /** What a person types at `verification_uri`. */
  readonly user_code: string;
  readonly verification_uri: string;
  /** Seconds between two polls. */
  readonly interval: number;
  /** Seconds. */
  readonly expires_in: number;
}

/** A key that a program gets, this once. Times are ISO 8601. */
export interface TrialKey {
  readonly id: number;
  readonly name: string;
  readonly key: string;
  readonly scopes: readonly string[];
  /** Credits that it may be charged in 24 hours; null: no cap. */
  readonly max_credits_a_day: number | null;
  readonly created_at: string;
  readonly expires_at: string | null;
}

/** Keys for programs that have none. A person approves them, or an operator lets everybody have one. */
export interface TrialServices {
  /** @throws ApiError rate_limit_exceeded, service_unavailable */
  start(visitor: Visitor, clientName: string): Promise<DeviceRequest>;
  /** @throws ApiError forbidden, rate_limit_exceeded, service_unavailable */
  startAnonymous(visitor: Visitor, clientName: string | undefined): Promise<TrialKey>;
  /**
   * Gives the key of an approved request, once.
   * @throws ApiError authorization_pending, slow_down, access_denied, expired_token
   */
  finish(visitor: Visitor, deviceCode: string): Promise<TrialKey>;
}
