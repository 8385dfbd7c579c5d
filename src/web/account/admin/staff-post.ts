import { done, redirect } from '../answers.ts';
import type { Refusal, SignedInVisit, SiteAnswer, SiteRoute } from '../visit.ts';
import type { AdminParts, StaffActOnUser } from './admin-parts.ts';

/** What a POST of the staff came to. */
export interface StaffDeed {
  readonly to: string;
  /** A sentence for the page that it leads to. */
  readonly text: string;
  /** Whom it concerns, where it is somebody. */
  readonly userId?: number | undefined;
  /** For the log; absent: what was called records its fact itself. */
  readonly fact?: Pick<StaffActOnUser, 'act' | 'subject' | 'details'>;
}

export interface StaffPost {
  readonly path: string;
  readonly access: 'staff' | 'admin';
  /** What was called notes it in the security log; absent: `admin_action` is noted here. */
  readonly notesItself?: true;
  run(visit: SignedInVisit): Promise<StaffDeed>;
  refused(visit: SignedInVisit, refusal: Refusal): Promise<SiteAnswer>;
}

/** A POST of the staff: what is done is noted, with who did it, and what is refused is not. */
export const staffPost = (
  { securityLog, recordStaffAct }: Pick<AdminParts, 'securityLog' | 'recordStaffAct'>,
  { path, access, notesItself, run, refused }: StaffPost,
): SiteRoute => ({
  method: 'POST',
  path,
  access,
  refused,
  async run(visit) {
    const { to, text, userId, fact } = await run(visit);
    const byUserId = visit.session.user.id;
    if (fact) await recordStaffAct({ ...fact, ...actOf(visit) });
    if (!notesItself) {
      await securityLog.note({ type: 'admin_action', userId, byUserId, path: visit.path, client: visit.client });
    }
    return redirect(to, done(text));
  },
});

/** Who of the staff asks, for what records its fact itself. */
export const actOf = ({ session, requestId }: SignedInVisit) => ({ userId: session.user.id, requestId });
