import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { readStoreContract } from '../read-store.contract.ts';

readStoreContract('memory', async () => createMemoryStore());
