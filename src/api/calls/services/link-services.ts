import type { Principal } from '../principal.ts';

/** A link to a read of the API, without its secret. Times are ISO 8601. */
export interface LinkListing {
  readonly id: number;
  readonly name: string | null;
  /** The address; null: only its making shows it. */
  readonly url: string | null;
  /** With its query. */
  readonly path: string;
  readonly format: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  /** How often it was answered. */
  readonly uses: number;
}

/** A link that is to be made. */
export interface NewLink {
  readonly path: string;
  readonly format: string;
  readonly name: string | null;
  /** ISO 8601; null: it does not end. */
  readonly expiresAt: string | null;
}

/** A link as who opens it finds it. */
export interface OpenedLink {
  readonly id: number;
  readonly path: string;
  readonly format: string;
  /** The account, with the scopes that the key had when the link was made. */
  readonly principal: Principal;
}

/** Links for programs that cannot send a header. A key sees and removes only links that it could have made. */
export interface LinkServices {
  /** @throws ApiError forbidden for more than 50, and without an account */
  create(principal: Principal, link: NewLink): Promise<LinkListing>;
  list(principal: Principal): Promise<readonly LinkListing[]>;
  /** @throws ApiError not_found */
  remove(principal: Principal, id: number): Promise<void>;
  /** Undefined if it is unknown, removed or expired, or its account is closed. */
  open(token: string): Promise<OpenedLink | undefined>;
  /** Counts a use. */
  noteUse(id: number): Promise<void>;
}
