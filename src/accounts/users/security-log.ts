import type { Client } from './user-service.ts';

/** Security events of users, by severity. */
export const SECURITY_EVENTS = {
  info: [
    'registered',
    'email_verified',
    'signed_in',
    'signed_out',
    'key_created',
    'key_revealed',
    'key_revoked',
    'session_revoked',
    'password_reset_requested',
    'email_change_cancelled',
    'github_linked',
    'github_unlinked',
    'payment_method_changed',
  ],
  warning: [
    'sign_in_failed',
    'sign_in_throttled',
    'csrf_refused',
    'password_changed',
    'password_reset',
    'email_changed',
    'email_taken_back',
    'github_refused',
    'account_deleted',
  ],
  critical: ['account_suspended', 'account_reactivated', 'staff_changed', 'admin_action'],
} as const;

export type Severity = keyof typeof SECURITY_EVENTS;
export type SecurityEventType = (typeof SECURITY_EVENTS)[Severity][number];

export interface SecurityEvent {
  readonly id: number;
  readonly at: string;
  readonly type: SecurityEventType;
  readonly severity: Severity;
  /** The user concerned; null: no known user. */
  readonly userId: number | null;
  /** The staff member who acted. */
  readonly byUserId: number | null;
  /** The requested path, where it adds information. */
  readonly path: string | null;
  /** Null: erased after 90 days. */
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export interface NewSecurityEvent {
  readonly type: SecurityEventType;
  readonly userId?: number | undefined;
  readonly byUserId?: number | undefined;
  readonly path?: string | undefined;
  readonly client: Client;
}

export interface SecurityFilter {
  /** From 1, 50 events a page; default 1. */
  readonly page?: number;
  /** The lowest id of the page in front of it. */
  readonly before?: number | undefined;
  readonly severity?: Severity | undefined;
  readonly type?: SecurityEventType | undefined;
  readonly ip?: string | undefined;
  readonly userId?: number | undefined;
}

export interface SecurityLog {
  /** Refused forms and throttled sign-ins are noted once a minute for an address. */
  note(event: NewSecurityEvent): Promise<void>;
  /** Newest first. */
  list(filter: SecurityFilter): Promise<{ readonly events: readonly SecurityEvent[]; readonly hasMore: boolean }>;
  /** All that is kept of a user, newest first. */
  ofUser(userId: number): AsyncIterable<SecurityEvent>;
}
