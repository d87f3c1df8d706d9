// Prints what those who check the block log must know of it.
import { createCheckpointSigner } from '../../chain/blockLog/checkpointSigner.ts';
import { readLogIdentity } from '../../chain/blockLog/logIdentity.ts';
import { encodeVerifierKey } from '../../ledger/evidence/verifierKey.ts';
import { console } from '../commandProcess.ts';
import { dataPaths } from '../files/dataPaths.ts';
import { openKeyring } from '../keyring.ts';
import { readKnownLedger } from '../knownLedger.ts';
import { readConfig } from '../settings/config.ts';

const readLedger = async (dataDir: string) => {
  const known = (await readKnownLedger(dataDir, 'network')) ?? (await readKnownLedger(dataDir, 'embedded'));
  if (known !== undefined) return known;
  throw new Error(`${dataDir} has no ledger yet; start the server once`);
};

/**
 * Prints name and verifier keys of the block log of the data directory (DATA_DIR), or with `isTrust` a trust.json that
 * names the log's key. Works with and without a running server.
 * @throws Error when there is no block log, or its key is missing.
 */
export const printLogKey = async ({ isTrust }: { isTrust: boolean }): Promise<void> => {
  const { dataDir } = readConfig();
  const { log, keys } = dataPaths(dataDir);
  const identity = await readLogIdentity(log);
  if (identity === undefined)
    throw new Error(`${dataDir} has no block log; a server without CHECKPOINT_SECONDS=0 creates it`);
  const { origin } = identity;
  const { logKey, timeKey } = createCheckpointSigner(origin, await (await openKeyring(keys)).requireLogKey());
  if (isTrust) {
    const { chainId, contract } = await readLedger(dataDir);
    const trust = { chain_id: chainId, contract, logs: [encodeVerifierKey(logKey)] };
    console.log(...JSON.stringify(trust, undefined, 2).split('\n'));
    return;
  }
  console.log(`origin    ${origin}`);
  console.log(`log key   ${encodeVerifierKey(logKey)}`);
  console.log(`time key  ${encodeVerifierKey(timeKey)}`);
};
