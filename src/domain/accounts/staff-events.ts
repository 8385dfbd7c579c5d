import type { LogRecord, NewRecord } from '../event-sourcing/record.ts';

/** An action of a staff user on users, accounts, plans or coupons. Holds ids, no personal data. Stream: `staff`. */
export interface StaffActed {
  readonly at: string;
  readonly userId: number;
  readonly requestId: string;
  readonly act: StaffActName;
  /** The target: the id of a user, account or coupon, the slug of a plan, or the name of a setting. */
  readonly subject: string;
  readonly reason: string | null;
  /** The outcome, without personal data. */
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

/** Actions on users, and on the emails of an account. */
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
