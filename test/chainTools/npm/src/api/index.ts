import { db } from 'ponder:api';
import { record } from 'ponder:schema';
import { Hono } from 'hono';

const app = new Hono();
app.get('/records', async (context) => context.json(await db.select().from(record)));

export default app;
