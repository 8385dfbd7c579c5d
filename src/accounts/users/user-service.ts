/** A new session. The token goes into the cookie; only its hash is stored. */
export interface NewSession {
  readonly token: string;
  readonly session: Session;
  /** Of the cookie; null: the session ends with the browser. */
  readonly maxAgeSeconds: number | null;
}

/** The result of a sign-in. A throttled one throws `RefusedError` with 429. */
export type SignInOutcome =
  | ({
      readonly outcome: 'signed_in';
      /** The path to open after the first sign-in, in place of the requested one. */
      readonly leadsTo?: string;
    } & NewSession)
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'unverified' }
  | { readonly outcome: 'suspended' };

export type GithubSignInOutcome =
  | SignInOutcome
  /** The user of this address is linked to another GitHub account. */
  | { readonly outcome: 'other_github' };

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly remember: boolean;
}

/** What a mailed link verifies. `verified`: it was used before. */
export type Verification = 'registration' | 'new_address' | 'verified';

/** What the link that was mailed to an old address can do. */
export type EmailUndo =
  | { readonly kind: 'pending'; readonly newEmail: string }
  | { readonly kind: 'changed'; readonly newEmail: string; readonly oldEmail: string };

export type EmailUndone =
  | { readonly outcome: 'cancelled' }
  /** The user has no password now. The token sets one. */
  | { readonly outcome: 'taken_back'; readonly resetToken: string }
  /** Another user or account has the old address by now. */
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'gone' };

/** What a new password does not end. Times are ISO 8601. */
export interface RemainingAccess {
  /** Null: GitHub is not linked. `linkedAt` null: an earlier version linked it. */
  readonly github: { readonly linkedAt: string | null } | null;
  readonly keys: readonly {
    readonly id: number;
    readonly name: string;
    readonly prefix: string;
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
  }[];
  readonly webhooks: readonly { readonly id: number; readonly url: string }[];
  /** Links to reads of the API. */
  readonly links: readonly { readonly id: number; readonly path: string; readonly createdAt: string }[];
  /** Addresses whose owners can take the account back until then. */
  readonly formerAddresses: readonly { readonly email: string; readonly until: string }[];
}

export type AccessToRemove =
  | { readonly kind: 'github' }
  | { readonly kind: 'key'; readonly id: number }
  | { readonly kind: 'webhook'; readonly id: number }
  | { readonly kind: 'link'; readonly id: number };

/** A person's profile at GitHub. */
export interface GithubProfile {
  readonly id: string;
  readonly name: string | null;
  /** The primary address, if GitHub has verified it. */
  readonly verifiedEmail: string | null;
}

/**
 * Users, their sessions and their mailed links. Rules and numbers: `web.md`, "Users and sessions", "GitHub" and
 * "Account". A wrong field of a form throws `RefusedError` with 422 and the field's name; limits throw it with 429. The
 * methods record their own security events. Several processes may use the service at once.
 */
export interface UserService {
  /** The answer is the same whether the address is known or not. The mail is sent afterwards. */
  register(
    given: { readonly email: string; readonly password: string; readonly name: string; readonly plan: string },
    client: Client,
  ): Promise<void>;
  /** What a mailed link verifies; undefined: it is unknown, expired or replaced. Changes nothing. */
  findVerification(token: string): Promise<Verification | undefined>;
  /**
   * Verifies an address. False: the link is unknown, expired or replaced. A link used again gives true.
   * @param password of the registration; not read for the new address of a user
   * @throws RefusedError 422 for a wrong password, 429 after too many
   */
  verifyEmail(token: string, password: string, client: Client): Promise<boolean>;
  /** The link for the owner of an old address; undefined: it is unknown, or no longer valid. Changes nothing. */
  findEmailUndo(token: string): Promise<EmailUndo | undefined>;
  /** Stops a change of address, or takes it back. */
  undoEmailChange(token: string, client: Client): Promise<EmailUndone>;
  resendVerification(email: string, client: Client): Promise<void>;
  signIn(given: Credentials, client: Client, browser?: BrowserState): Promise<SignInOutcome>;
  forgotPassword(email: string, client: Client): Promise<void>;
  isResetValid(token: string): Promise<boolean>;
  /** False: the token is not valid, or no longer. A refused password does not use up the token. */
  resetPassword(token: string, password: string, client: Client): Promise<boolean>;

  /** What can still sign in or call after a reset. Undefined: the token is not valid. */
  accessAfterReset(token: string): Promise<RemainingAccess | undefined>;
  /** Removes one of them. False: the token is not valid, or there is no such access. */
  removeAccess(token: string, access: AccessToRemove, client: Client): Promise<boolean>;

  /** Finds the session of a cookie's token, and marks it as used; undefined: none, or ended. */
  session(token: string): Promise<Session | undefined>;
  endSession(session: Session, client: Client): Promise<void>;
  /** Ends one of the user's own sessions; false: there is no such session. */
  revokeSession(user: SignedInUser, sessionId: number, client: Client): Promise<boolean>;
  revokeOthers(session: Session, client: Client): Promise<void>;
  /** Newest first, 50 a page. @param before only sessions with lower ids */
  sessionsOf(user: SignedInUser, before?: number): Promise<SessionPage>;
  /**
   * Begins a download of everything that is kept of the user: one at a time, and 10 an hour.
   * @throws RefusedError 429
   */
  beginExport(user: SignedInUser): Promise<AccountExportRun>;

  /** Signs in, or creates a user. `wrong`: no verified address. */
  signInByGithub(person: GithubProfile, client: Client, browser?: BrowserState): Promise<GithubSignInOutcome>;
  /**
   * Whether the user has neither signed in nor given the password in this session in the last 15 minutes. Then GitHub
   * is not linked.
   */
  mustConfirm(session: Session): Promise<boolean>;
  /** Confirms the session with the password. @throws RefusedError 422, 429; 403 for a user without a password */
  confirmSession(session: Session, password: string, client: Client): Promise<void>;
  /** @throws RefusedError 409 if it is linked to another user, 403 if the session is not confirmed */
  linkGithub(session: Session, githubId: string, client: Client): Promise<void>;
  unlinkGithub(session: Session, client: Client): Promise<void>;

  /** A new address takes effect when the link sent to it is opened. */
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
  /** Ends all other sessions; this one continues with a new token. */
  changePassword(
    session: Session,
    given: { readonly currentPassword: string; readonly password: string },
    client: Client,
  ): Promise<NewSession>;
  /** Ends sessions and keys at once, and erases personal data. */
  deleteUser(
    session: Session,
    given: { readonly currentPassword: string; readonly confirm: string },
    client: Client,
  ): Promise<void>;

  readonly staff: StaffUserActions;
  /** The actions of operators' commands. */
  readonly operators: OperatorUserActions;
}

/** What staff can do with users. Staff cannot suspend, delete or downgrade themselves: 422. Unknown user: 404. */
export interface StaffUserActions {
  find(userId: number): Promise<User | undefined>;
  ofAccount(accountId: number): Promise<User | undefined>;
  /**
   * 50 users a page, newest first; `q` is part of e-mail address or name, in any case.
   * @param before the lowest id of the page in front of it
   */
  list(
    page: number,
    q: string,
    before?: number,
  ): Promise<{ readonly users: readonly User[]; readonly hasMore: boolean }>;
  /** The newest 50. */
  sessionsOf(userId: number): Promise<readonly Session[]>;
  revokeSessions(by: SignedInUser, userId: number, client: Client): Promise<void>;
  mailPasswordReset(by: SignedInUser, userId: number, client: Client): Promise<void>;
  /** @param path the requested path, if it is not the user's own page */
  resendVerification(by: SignedInUser, userId: number, client: Client, path?: string): Promise<void>;
  delete(by: SignedInUser, userId: number, client: Client): Promise<void>;
  setStaff(by: SignedInUser, userId: number, isStaff: boolean, client: Client): Promise<void>;
  setRole(by: SignedInUser, userId: number, role: Role, client: Client): Promise<void>;
  /** Null: the plan's limit. */
  setRateLimit(by: SignedInUser, userId: number, requestsPerMinute: number | null, client: Client): Promise<void>;
  rateLimitOf(userId: number): Promise<number | null>;
  setActive(by: SignedInUser, userId: number, isActive: boolean, client: Client): Promise<void>;
}

export interface OperatorUserActions {
  /** Creates a verified user. Without a password the result has a `resetUrl`. */
  create(given: {
    readonly email: string;
    readonly name?: string;
    readonly staff: boolean;
    readonly password?: string;
  }): Promise<{ readonly user: User; readonly resetUrl?: string }>;
  list(): Promise<readonly User[]>;
  /** Whether anybody belongs to the staff: the server then has an owner. */
  hasStaff(): Promise<boolean>;
  /** Makes a member of staff, with a session that goes on, of one that another database had. */
  adopt(owner: AdoptedOwner): Promise<void>;
  setStaff(email: string, isStaff: boolean): Promise<User | undefined>;
  reset(email: string): Promise<{ readonly user: User; readonly resetUrl: string } | undefined>;
}

/** What a user keeps who goes to another database with the same secrets. Both hashes are as stored. */
export interface AdoptedOwner {
  readonly email: string;
  readonly name: string | null;
  readonly passwordHash: string;
  readonly sessionTokenHashes: readonly string[];
}

/** The rights of staff. `support`: reads, and helps with sessions, passwords and links. `admin`: everything. */
export type Role = 'support' | 'admin';

/** A person with an account, or one who has registered and not opened the mailed link yet. Times are ISO 8601. */
export interface User {
  readonly id: number;
  /** Null until the e-mail address is verified. */
  readonly accountId: number | null;
  readonly email: string;
  readonly name: string | null;
  /** IANA name; `UTC` until changed. */
  readonly timezone: string;
  readonly isVerified: boolean;
  /** False: the user signs in with GitHub only. */
  readonly hasPassword: boolean;
  /** The numeric id at GitHub, as text. */
  readonly githubId: string | null;
  readonly isStaff: boolean;
  /** Only used for staff. */
  readonly role: Role;
  /** False: suspended. */
  readonly isActive: boolean;
  readonly createdAt: string;
}

/** A signed-in user. */
export type SignedInUser = User & { readonly accountId: number };

/** The origin of a browser's request. */
export interface Client {
  /** The connection's address, or the address that a trusted proxy gives. */
  readonly ip: string;
  readonly userAgent: string;
  /** The random value of the browser's own cookie; absent: it has none. */
  readonly visitor?: string | undefined;
}

export interface SessionPage {
  readonly sessions: readonly Session[];
  /** Older ones follow. */
  readonly hasMore: boolean;
}

/** A download that has begun. Nothing else of this user is downloaded until its end. */
export interface AccountExportRun {
  /** Newest first. */
  readonly sessions: AsyncIterable<Session>;
  end(): Promise<void>;
}

/** What a browser knows of itself at a sign-in. */
export interface BrowserState {
  /** The session that it has. A sign-in ends it. */
  readonly session?: Session | undefined;
  /** Set if it has had sessions here: a name of its own, and the ids of the users. The server has signed it. */
  readonly known?: { readonly name: string; readonly userIds: readonly number[] } | undefined;
}

export interface Session {
  readonly id: number;
  readonly user: SignedInUser;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly ip: string;
  readonly userAgent: string;
}
