import { onchainTable } from 'ponder';

export const record = onchainTable('record', (t) => ({ id: t.text().primaryKey(), sequence: t.integer().notNull() }));
