// Writes to a database as the index does, without syncs and with a small write buffer, until the process is killed.
// Argument: the directory. Prints a line after each batch once some logs have been changed.
import { randomBytes } from 'node:crypto';
import { Level } from 'level';

const BATCHES = 60;
const ROWS = 40;

const [directory = ''] = process.argv.slice(2);
const db = new Level<string, Buffer>(directory, { valueEncoding: 'buffer', writeBufferSize: 64 * 1_024 });
await db.open();
for (let batch = 0; ; batch += 1) {
  const rows = Array.from({ length: batch % ROWS }, (_, at) => ({
    type: 'put' as const,
    key: `row ${batch} ${at}`,
    value: randomBytes(500),
  }));
  await db.batch([...rows, { type: 'del', key: 'none' }], { sync: batch % 7 === 0 });
  if (batch >= BATCHES) console.log('logs were changed');
}
