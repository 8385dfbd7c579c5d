import { openSqliteStore } from '../../src/read-models/store/sqlite/sqlite-store.ts';
import { cases } from '../support/cases.ts';
import { storesAgree } from './stores-agree.ts';

storesAgree('SQLite', () => openSqliteStore({ file: ':memory:' }), cases(150));
