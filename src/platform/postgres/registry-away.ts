import { Unavailable } from '../../domain/unavailable.ts';

const ASK_AGAIN_AFTER_SECONDS = 2;

/**
 * PostgreSQL refuses, hangs, or ends the connection. Whether what was sent took effect is not known. The reason is a
 * code: what servers and drivers write in words may name users and addresses.
 */
export class RegistryAway extends Unavailable {
  readonly engine = 'registry';
  constructor(reason: string) {
    super(`the registry is away (${reason})`, ASK_AGAIN_AFTER_SECONDS);
    this.name = 'RegistryAway';
  }
}
