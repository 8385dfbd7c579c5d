import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projections } from '../../../projections/index.ts';
import { createBillingTables } from '../../../src/accounts/billing/sql/billing-tables.ts';
import { SqlIdentities } from '../../../src/ingest/identities/sql/sql-identities.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { REGISTRY_MIGRATIONS } from '../../../src/server/cluster/registry-migrations.ts';
import { openRegistry, type RegistryDatabase } from '../../../src/server/composition/registry.ts';
