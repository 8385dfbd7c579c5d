import { createMemoryStore } from '../../src/store/memory-store.ts';
import { readStoreContract } from './read-store.contract.ts';

readStoreContract('memory', async () => createMemoryStore());
