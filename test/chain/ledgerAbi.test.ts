// The hand-written ABI against the compiled contract.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Interface, type InterfaceAbi } from 'ethers';
import { LEDGER_ABI, ledgerInterface } from '../../chain/ledgerAbi.ts';

// Functions that the contract inherits from OpenZeppelin and the ledger does not use.
const INHERITED = [
  'constructor',
  'EIP712DomainChanged',
  'InvalidShortString',
  'OwnableInvalidOwner',
  'OwnableUnauthorizedAccount',
  'OwnershipTransferStarted',
  'OwnershipTransferred',
  'StringTooLong',
  'acceptOwnership',
  'eip712Domain',
  'owner',
  'pendingOwner',
  'renounceOwnership',
  'transferOwnership',
];

const readCompiled = (contract: string): Interface => {
  const artifact = new URL(`../../artifacts/contracts/${contract}.sol/${contract}.json`, import.meta.url);
  return new Interface((JSON.parse(readFileSync(artifact, 'utf8')) as { abi: InterfaceAbi }).abi);
};
const toLines = ({ fragments }: Interface): string[] => fragments.map((fragment) => fragment.format('full')).sort();
const nameOf = (line: string): string => /^(?:function |event |error )?(\w+)/.exec(line)![1]!;

describe('LEDGER_ABI', () => {
  it('equals the compiled interface, word for word', () => {
    expect(toLines(ledgerInterface)).to.deep.equal(toLines(readCompiled('IProvenanceLedger')));
    expect(ledgerInterface.fragments).to.have.length(LEDGER_ABI.length);
  });

  it('contains everything of the compiled contract that is not inherited from libraries', () => {
    const own = toLines(readCompiled('ProvenanceLedger')).filter((line) => !INHERITED.includes(nameOf(line)));
    expect(toLines(ledgerInterface)).to.deep.equal(own);
  });
});
