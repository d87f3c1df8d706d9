import { ponder } from 'ponder:registry';
import { record } from 'ponder:schema';

ponder.on('Emitter:RecordAppended', async ({ event, context }) => {
  await context.db.insert(record).values({ id: event.id, sequence: Number(event.args.sequence) });
});
