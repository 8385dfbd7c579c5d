import { expect, onTestFinished } from 'vitest';
import type { Principal } from '../../../src/api/calls/principal.ts';
import { injury, type Message, NFL, schedule, score } from '../../api/spec/messages.ts';
import type { ComposedOptions } from '../../support/composed.ts';
import { wholeSite } from '../../web/account/whole-application.ts';

export const GAME = schedule(NFL, 'g1', ['Chiefs', 'Eagles'], '2026-03-01T18:00:00Z');
export const OWNER = 'ann@a.example';
export { injury, NFL, schedule, score };

/** The whole server with a signed-up owner, whose alerts may reach doubles of services on this machine. */
export async function alertingServer(options: ComposedOptions = {}) {
  const site = await wholeSite({ ...options, settings: { webhookAllow: ['127.0.0.0/8'], ...options.settings } });
  onTestFinished(() => site.close());
  await site.server.webhooks.start();
  const user = await site.user(OWNER);
  const owner = (await site.server.accounts.findOwnerPrincipal(user.accountId!)) as Principal;
  const { services } = site.server.webhooks;
  return {
    ...site,
    owner,
    services,
    async feed(...messages: readonly Message[]): Promise<void> {
      const { outcomes } = await site.core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
      expect(outcomes.map(({ status }) => status)).toEqual(messages.map(() => 'accepted'));
    },
    /** Makes an alert without quiet, unless told. */
    subscribe: (wish: Partial<Parameters<typeof services.create>[1]> & { readonly url: string }) =>
      services.create(owner, {
        event_types: ['score', 'injury'],
        sport: null,
        event_id: null,
        quiet: { min_interval_seconds: 0 },
        ...wish,
      }),
    deliveries: (id: number) => services.deliveries(owner, { id, limit: 100 }),
  };
}
