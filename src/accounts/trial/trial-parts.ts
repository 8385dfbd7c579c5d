import type { SecretBox } from '../../api/calls/secret-box.ts';
import type { AgentKeys } from '../agent-keys.ts';
import type { KeyIssuer } from '../keys/key-registry.ts';
import type { SecurityLog } from '../users/security-log.ts';
import type { RegistryContext } from '../users/user-context.ts';

export interface TrialsParts {
  readonly context: RegistryContext;
  readonly keys: Pick<AgentKeys, 'createKey'>;
  readonly keyMaker: KeyIssuer;
  readonly box: SecretBox;
  readonly security: Pick<SecurityLog, 'note'>;
  /** Whether anybody gets a key without a person. */
  readonly isAnonymousAllowed: boolean;
  /** Ends the webhooks of an account. */
  readonly endWebhooks: (accountId: number) => Promise<void>;
  /** The server's public URL, without a trailing slash. */
  readonly baseUrl: () => string;
  /** For tests; default: as above. */
  readonly most?: { readonly requests?: number; readonly anonymous?: number } | undefined;
}
