import type { Session, UserService } from '../../../src/accounts/users/user-service.ts';

export const AT = '2026-03-01T12:00:00.000Z';

/** A session of a user who has verified his address. */
export const sessionOf = (id: number, user: Partial<Session['user']> = {}): Session => ({
  id,
  createdAt: AT,
  lastUsedAt: AT,
  ip: '203.0.113.7',
  userAgent: 'Browser/1',
  user: {
    id,
    accountId: 100 + id,
    email: `u${id}@x.example`,
    name: `User ${id}`,
    timezone: 'UTC',
    isVerified: true,
    hasPassword: true,
    githubId: null,
    isStaff: false,
    role: 'support',
    isActive: true,
    createdAt: AT,
    ...user,
  },
});

type Method = {
  [Name in keyof UserService]: UserService[Name] extends (...given: never[]) => unknown ? Name : never;
}[keyof UserService];

/**
 * A DOUBLE of `People`: it knows no rules. It does as it is told for each method, and remembers what it was asked. Sessions
 * are those that it was given, by the token of their cookie.
 */
export function createPeopleDouble() {
  const sessions = new Map<string, Session>();
  const asked: { readonly method: string; readonly given: readonly unknown[] }[] = [];
  /** A result, or an error that is thrown. Absent: undefined. */
  const does: Partial<Record<Method, unknown>> = {};
  const people = new Proxy({} as UserService, {
    get: (_, name: string) =>
      name === 'session'
        ? async (token: string) => sessions.get(token)
        : async (...given: unknown[]) => {
            asked.push({ method: name, given });
            const result = does[name as Method];
            if (result instanceof Error) throw result;
            return result;
          },
  });
  return {
    people,
    sessions,
    asked,
    does,
    /** What a method was given when it was asked last. */
    last: (method: Method) => asked.findLast((one) => one.method === method)?.given,
  };
}
export type PeopleDouble = ReturnType<typeof createPeopleDouble>;
