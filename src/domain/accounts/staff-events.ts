import type { LogRecord, NewRecord } from '../event-sourcing/record.ts';

/** What staff have done with users, accounts, plans and coupons, by ids only. Stream: `staff`. */
export interface StaffActed {
  readonly at: string;
  readonly userId: number;
  readonly requestId: string;
  readonly act: StaffActName;
  /** What it was done to: a user's, an account's or a coupon's id, a plan's slug, or the name of a setting. */
  readonly subject: string;
  readonly reason: string | null;
  /** What it has come to, as far as it is no personal data. */
  readonly details: Readonly<Record<string, unknown>>;
}

type StaffActName =
  | 'coupon_created'
  | 'coupon_switched'
  | 'coupon_deleted'
  | 'account_entitled'
  | 'plan_changed'
  | 'plan_deleted'
  | 'setting_changed'
  | UserActName;

/** What staff do with users, and with the mails of an account. */
export type UserActName =
  | 'user_sessions_revoked'
  | 'user_password_reset_mailed'
  | 'user_verification_mailed'
  | 'user_deleted'
  | 'user_staff_changed'
  | 'user_role_changed'
  | 'user_rate_limited'
  | 'user_switched'
  | 'account_verification_mailed';

export type StaffActedRecord = LogRecord<'StaffActed', StaffActed>;

export const STAFF_VERSIONS = { StaffActed: 1 } as const;

export const STAFF_STREAM = 'staff';

export const createStaffActed = (data: StaffActed): NewRecord<'StaffActed', StaffActed> => ({
  type: 'StaffActed',
  version: STAFF_VERSIONS.StaffActed,
  data,
  meta: { partition: STAFF_STREAM },
});
