// `node:crypto` with random numbers that follow from the seed.
import { formatUuid } from '../../../ledger/identity.ts';
import { theWorld } from '../world/world.ts';

// biome-ignore lint/performance/noBarrelFile: it stands in for the module.
export * from 'node:crypto';

const UUID_BYTES = 16;

/** So many random bytes. */
export const randomBytes = (count: number): Buffer => Buffer.from(theWorld().stream('crypto').bytes(count));

/** A random UUID of version 4. */
export const randomUUID = (): string => {
  const bytes = randomBytes(UUID_BYTES);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return formatUuid(bytes.toString('hex'));
};
