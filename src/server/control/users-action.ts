import type { OperatorUserActions, User } from '../../accounts/users/user-service.ts';
import { RefusedError } from '../../domain/primitives/domain-errors.ts';
import { ControlError } from './control-messages.ts';

export const USERS_ACTIONS = ['create', 'list', 'staff', 'reset'] as const;
export type UsersActionName = (typeof USERS_ACTIONS)[number];

export type NewUserOrder = Parameters<OperatorUserActions['create']>[0];
export interface StaffOrder {
  readonly email: string;
  readonly isStaff: boolean;
}
export interface ResetOrder {
  readonly email: string;
}

/**
 * Does an action of the users command, in the server or in the command. The command has checked the request.
 * @returns the lines to print
 * @throws ControlError if it is impossible
 */
export async function usersAction(
  operators: OperatorUserActions,
  action: UsersActionName,
  request: object,
): Promise<readonly object[]> {
  try {
    return await act(operators, action, request);
  } catch (error) {
    throw error instanceof RefusedError ? new ControlError(error.message) : error;
  }
}

async function act(operators: OperatorUserActions, action: UsersActionName, request: object) {
  switch (action) {
    case 'create': {
      const { user, resetUrl } = await operators.create(request as NewUserOrder);
      return [shown(user, resetUrl)];
    }
    case 'list':
      return (await operators.list()).map((user) => shown(user));
    case 'staff': {
      const { email, isStaff } = request as StaffOrder;
      return [shown((await operators.setStaff(email, isStaff)) ?? nobody(email))];
    }
    case 'reset': {
      const { email } = request as ResetOrder;
      const { user, resetUrl } = (await operators.reset(email)) ?? nobody(email);
      return [shown(user, resetUrl)];
    }
  }
}

function nobody(email: string): never {
  throw new ControlError(`there is no user with ${email}`);
}

const shown = ({ id, accountId, email, isVerified, isStaff, role, isActive }: User, resetUrl?: string) => ({
  id,
  account_id: accountId,
  email,
  verified: isVerified,
  staff: isStaff,
  role,
  active: isActive,
  ...(resetUrl !== undefined && { reset_url: resetUrl }),
});
