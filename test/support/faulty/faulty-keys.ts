import type { KeyRegistry } from '../../../src/accounts/keys/key-registry.ts';
import { behindFaultyNetwork } from './behind-faulty-network.ts';
import type { FaultyNetwork } from './faulty-network.ts';

/** A registry of keys as several processes share it over a network. */
export const createFaultyKeys = (registry: KeyRegistry, far: FaultyNetwork): KeyRegistry =>
  behindFaultyNetwork(registry, far);
