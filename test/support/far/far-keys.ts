import type { KeyRegistry } from '../../../src/accounts/keys/key-registry.ts';
import type { Far } from './far.ts';
import { farAway } from './far-away.ts';

/** A registry of keys as several processes share it over a network. */
export const createFarKeys = (registry: KeyRegistry, far: Far): KeyRegistry => farAway(registry, far);
