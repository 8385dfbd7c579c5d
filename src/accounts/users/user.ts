/** What staff may do: `support` looks, and helps with sessions, passwords and links; `admin` does all. */
export type Role = 'support' | 'admin';

/** A person who has an account here, or has registered and not opened the link in the mail yet. Times are ISO 8601. */
export interface User {
  readonly id: number;
  /** Null until the e-mail address is verified. */
  readonly accountId: number | null;
  readonly email: string;
  readonly name: string | null;
  /** IANA name, `UTC` until told. */
  readonly timezone: string;
  readonly isVerified: boolean;
  /** False: signs in by GitHub alone. */
  readonly hasPassword: boolean;
  /** The numeric id at GitHub, as text. */
  readonly githubId: string | null;
  readonly isStaff: boolean;
  /** Counts for staff alone. */
  readonly role: Role;
  /** False: suspended. */
  readonly isActive: boolean;
  readonly createdAt: string;
}

/** A user who is signed in. */
export type SignedInUser = User & { readonly accountId: number };

/** Where a browser's request came from. */
export interface Client {
  /** Of the connection, or as a trusted proxy tells it. */
  readonly ip: string;
  readonly userAgent: string;
}

export interface Session {
  readonly id: number;
  readonly user: SignedInUser;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly ip: string;
  readonly userAgent: string;
}
