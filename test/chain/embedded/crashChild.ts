// A process that crash.test.ts kills: submits transactions from several accounts at once and writes one line for each
// that the chain acknowledged.
import { writeSync } from 'node:fs';
import process from 'node:process';
import { createEmbeddedChain } from '../../../chain/embedded/embeddedChain.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { CHAIN_ID, createAccount, signRaw } from './fixtures.ts';

const ACCOUNTS = 3;
const STDOUT = 1;

const say = (line: object): void => void writeSync(STDOUT, `${JSON.stringify(line)}\n`);

const chain = await createEmbeddedChain({ directory: process.argv[2]!, chainId: CHAIN_ID, now: () => Date.now() });
say({ started: chain.blocksReplayed });

const submitUntilKilled = async (): Promise<never> => {
  const account = createAccount();
  for (let nonce = 0; ; nonce += 1) {
    const { hash, blockNumber } = await chain.submitTransaction(await signRaw(account, nonce));
    const blockHash = (await chain.fetchBlockHash(blockNumber)) as Hex;
    say({ hash, blockNumber, blockHash });
  }
};

await Promise.all(Array.from({ length: ACCOUNTS }, submitUntilKilled));
