// What the logs and witnesses that a reader names say of the blocks of a file, and what is missing where they say
// nothing.
import { expect } from 'chai';
import type { HashedBlock } from '../../../../ledger/evidence/bundle/provenParts.ts';
import { findChainRoots } from '../../../../ledger/evidence/bundle/roots.ts';
import type { LedgerTrust } from '../../../../ledger/evidence/bundle/trust.ts';
import { decodeVerifierKey } from '../../../../ledger/evidence/verifierKey.ts';
import { createNumberedChain, hashOfBlock, SIGNER } from '../../../support/blockLogs.ts';
import { readC2spVectors } from '../../../support/c2sp.ts';
import { signBlocks } from '../../../support/witnesses.ts';

const OTHER_LOG = decodeVerifierKey(readC2spVectors().keys.log);
const CHAIN = createNumberedChain();
// Of the only block of its log.
const ANCHOR = { index: 0, path: [], checkpoint: signBlocks(CHAIN, 1), tokens: [], elsewhere: [] };

describe('the log that a reader names', () => {
  const answersOf = async (named: Partial<LedgerTrust>, anchors: readonly object[]): Promise<string[]> => {
    const trust = { blocks: new Set(), logs: [], witnesses: [], quorum: 0, validators: [], ...named };
    const block = { rule: 'ethereum', number: 0, hash: hashOfBlock(CHAIN, 0), anchors } as unknown as HashedBlock;
    const roots = { trust: trust as unknown as LedgerTrust, elsewhere: [], authorities: [] };
    const findings = await findChainRoots([block], roots);
    return findings.filter(({ question }) => question === 'operator').map(({ answer }) => answer);
  };

  it('vouches for a block by its checkpoint', async () => {
    expect(await answersOf({ logs: [SIGNER.logKey] }, [ANCHOR])).to.deep.equal(['proved']);
  });

  it('is said to lack a checkpoint where the file has none, not where it has one of another log', async () => {
    expect(await answersOf({ logs: [OTHER_LOG] }, [])).to.deep.equal(['not answered']);
    expect(await answersOf({ logs: [OTHER_LOG] }, [ANCHOR])).to.deep.equal([]);
  });

  it('is asked for where a reader names witnesses alone', async () => {
    expect(await answersOf({ witnesses: [OTHER_LOG] }, [ANCHOR])).to.deep.equal(['not answered']);
    expect(await answersOf({}, [ANCHOR])).to.deep.equal([]);
  });
});
