/** A new session: the token goes into the cookie, and is stored nowhere else but hashed. */
export interface NewSession {
  readonly token: string;
  readonly session: Session;
  /** Of the cookie; null: it ends with the browser. */
  readonly maxAgeSeconds: number | null;
}

/** How a sign-in ended. Throttled ones throw `Refused` with 429. */
export type SignInOutcome =
  | ({
      readonly outcome: 'signed_in' /** Where the first one leads, if not where it was going. */;
      readonly leadsTo?: string;
    } & NewSession)
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'unverified' }
  | { readonly outcome: 'suspended' };

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly remember: boolean;
}

/** What GitHub tells of somebody. */
export interface GithubProfile {
  readonly id: string;
  readonly name: string | null;
  /** The primary address, where GitHub calls it verified. */
  readonly verifiedEmail: string | null;
}

/**
 * People, their sessions, and the links that they are mailed. Rules and numbers: `web.md`, "Users and sessions",
 * "GitHub" and "Account". Fields of forms that are wrong throw `Refused` with 422 and the field's name; throttles throw
 * it with 429. Every method that matters notes its security event itself. Several processes may use it at once.
 */
export interface UserService {
  /** Answers the same whether the address is known or not; the mail leaves afterwards. */
  register(
    given: { readonly email: string; readonly password: string; readonly name: string; readonly plan: string },
    client: Client,
  ): Promise<void>;
  /** The link of a registration, or of a new address. False: unknown, too old, or replaced. The same link again: true. */
  verifyEmail(token: string, client: Client): Promise<boolean>;
  resendVerification(email: string, client: Client): Promise<void>;
  signIn(given: Credentials, client: Client): Promise<SignInOutcome>;
  forgotPassword(email: string, client: Client): Promise<void>;
  isResetValid(token: string): Promise<boolean>;
  /** False: the token is not (or no longer) valid. A refused password does not use it up. */
  resetPassword(token: string, password: string, client: Client): Promise<boolean>;

  /** The session of a cookie's token, used now; undefined: none, or ended. */
  session(token: string): Promise<Session | undefined>;
  endSession(session: Session, client: Client): Promise<void>;
  /** By the user; false where he has no such session. */
  revokeSession(user: SignedInUser, sessionId: number, client: Client): Promise<boolean>;
  revokeOthers(session: Session, client: Client): Promise<void>;
  /** The newest use first. */
  sessionsOf(user: SignedInUser): Promise<readonly Session[]>;

  /** Signs in, or makes a user; `wrong`: no verified address. */
  signInByGithub(person: GithubProfile, client: Client): Promise<SignInOutcome>;
  /** @throws Refused 409 where it is linked to another user */
  linkGithub(session: Session, githubId: string, client: Client): Promise<void>;
  unlinkGithub(session: Session, client: Client): Promise<void>;

  /** A new address counts once the link sent to it is opened. */
  changeProfile(
    session: Session,
    given: {
      readonly name: string;
      readonly timezone: string;
      readonly email: string;
      readonly currentPassword: string;
    },
    client: Client,
  ): Promise<void>;
  /** All other sessions end; this one goes on under a new token. */
  changePassword(
    session: Session,
    given: { readonly currentPassword: string; readonly password: string },
    client: Client,
  ): Promise<NewSession>;
  /** Sessions and keys end at once, personal data is erased. */
  deleteUser(
    session: Session,
    given: { readonly currentPassword: string; readonly confirm: string },
    client: Client,
  ): Promise<void>;

  readonly staff: StaffUserActions;
  /** What operators do by command. */
  readonly operators: OperatorUserActions;
}

/** What staff do with users. Nobody suspends, deletes or lowers himself: 422. A user who is unknown: 404. */
export interface StaffUserActions {
  find(userId: number): Promise<User | undefined>;
  ofAccount(accountId: number): Promise<User | undefined>;
  /** 50 a page, the newest first; `q` is found in e-mail and name, without case. */
  list(page: number, q: string): Promise<{ readonly users: readonly User[]; readonly total: number }>;
  sessionsOf(userId: number): Promise<readonly Session[]>;
  revokeSessions(by: SignedInUser, userId: number, client: Client): Promise<void>;
  mailPasswordReset(by: SignedInUser, userId: number, client: Client): Promise<void>;
  /** @param path of what was asked for, where it is not the user's own page */
  resendVerification(by: SignedInUser, userId: number, client: Client, path?: string): Promise<void>;
  delete(by: SignedInUser, userId: number, client: Client): Promise<void>;
  setStaff(by: SignedInUser, userId: number, isStaff: boolean, client: Client): Promise<void>;
  setRole(by: SignedInUser, userId: number, role: Role, client: Client): Promise<void>;
  /** Null: the plan's. */
  setRateLimit(by: SignedInUser, userId: number, requestsPerMinute: number | null, client: Client): Promise<void>;
  rateLimitOf(userId: number): Promise<number | null>;
  setActive(by: SignedInUser, userId: number, isActive: boolean, client: Client): Promise<void>;
}

export interface OperatorUserActions {
  /** A verified user. Without a password: `resetUrl`. */
  create(given: {
    readonly email: string;
    readonly name?: string;
    readonly staff: boolean;
    readonly password?: string;
  }): Promise<{ readonly user: User; readonly resetUrl?: string }>;
  list(): Promise<readonly User[]>;
  setStaff(email: string, isStaff: boolean): Promise<User | undefined>;
  reset(email: string): Promise<{ readonly user: User; readonly resetUrl: string } | undefined>;
}

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
