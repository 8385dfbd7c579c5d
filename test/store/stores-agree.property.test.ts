import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { cases } from '../cases.ts';
import { storesAgree } from './stores-agree.ts';

storesAgree('SQLite', () => openSqliteStore({ file: ':memory:' }), cases(150));
