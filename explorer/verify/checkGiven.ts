// Checks a file with what its reader knows, and asks nobody but the node that the reader names.
import { toChecksumAddress } from '../../ledger/encoding/address.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { parseTrust } from '../../ledger/evidence/bundle/trust.ts';
import type { EvidenceFiles } from '../../ledger/evidence/bundle/verifyBundle.ts';
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';
import type { LedgerEvent } from '../api/client.ts';
import { checkOnChain, type NamedLedger } from '../check/chainCheck.ts';
import { checkEvidenceText, readKind, type VerdictResult } from '../check/givenFile.ts';
import { toQuotation } from '../text/quotation.ts';
import { createRequestRpc, readNodeUrl } from './nodeRpc.ts';

/** What the reader has entered and chosen. */
export interface Given {
  readonly contract: string;
  readonly chainId: string;
  readonly nodeUrl: string;
  readonly file?: Blob | undefined;
  /** A `trust.json`. */
  readonly trust?: Blob | undefined;
  /** Certificates that the `trust.json` names. */
  readonly certificates?: Blob | undefined;
  /** The leaves of a tenant's list. */
  readonly leaves?: Blob | undefined;
}

/** What a check found, and by whose word. */
export interface GivenResult {
  readonly result: VerdictResult;
  readonly source: string;
}

/** The verifier's limit. */
const BYTES_MAX = 16 * 1024 * 1024;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const CHAIN_ID = /^[1-9]\d{0,14}$/;

const readAddress = (text: string): Hex => {
  if (!ADDRESS.test(text)) throw new Error('Contract: must be its address, 0x and 40 hexadecimal digits.');
  const lower = text.toLowerCase();
  if (lower !== text && toChecksumAddress(lower) !== text)
    throw new Error('Contract: the checksum in its upper-case letters is wrong; copy the address again.');
  return lower as Hex;
};

const readLedger = ({ contract, chainId }: Given): NamedLedger => {
  const address = readAddress(contract.trim());
  const chain_id = chainId.trim();
  if (!CHAIN_ID.test(chain_id)) throw new Error('Chain id: must be a number, in decimal digits.');
  return { contract: address, chain_id };
};

const assertSize = (name: string, { size }: Blob): void => {
  if (size <= BYTES_MAX) return;
  const mebibytes = (size / 1024 / 1024).toFixed(1);
  throw new Error(`${name} has ${mebibytes} MiB, and this verifier reads at most 16. It was not read.`);
};

const readSmall = async (name: string, file: Blob): Promise<string> => {
  assertSize(name, file);
  return file.text();
};

const readKindOf = (bytes: Uint8Array) => {
  try {
    return readKind(bytes);
  } catch (error) {
    if (!(error instanceof UnreadableEvidence)) throw error;
    const about = 'It must be the JSON of an event, or an evidence file';
    throw new Error(`The file can’t be checked: ${error.message}. ${about}, as they were saved.`, { cause: error });
  }
};

const checkEvent = async (event: LedgerEvent, given: Given): Promise<GivenResult> => {
  if (given.contract.trim() === '' || given.chainId.trim() === '' || given.nodeUrl.trim() === '')
    throw new Error('This is an event. To check it, fill in contract, chain id and the URL of a node.');
  const ledger = readLedger(given);
  const url = readNodeUrl(given.nodeUrl.trim());
  const request = createRequestRpc(url);
  const found = Number(await request('eth_chainId', []));
  if (!Number.isSafeInteger(found)) throw new Error('The node’s answer has no chain id. Check the URL.');
  if (found !== Number(ledger.chain_id))
    throw new Error(`This node is of chain ${found}, and you named chain ${ledger.chain_id}. Nothing was checked.`);
  const result: VerdictResult = { kind: 'chain', verdict: await checkOnChain(request, ledger, event) };
  return { result, source: `Asked: the node at ${url}. Those who run it could make it answer falsely.` };
};

const readTrust = async (trust: Blob): Promise<string> => {
  const text = await readSmall('trust.json', trust);
  try {
    parseTrust(text);
  } catch (error) {
    throw new Error(`trust.json can’t be used: ${toQuotation((error as Error).message)}.`, { cause: error });
  }
  return text;
};

async function* toParts(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

const toFiles = ({ certificates, leaves }: Given): EvidenceFiles => ({
  ...(certificates && { readText: () => readSmall('The file with certificates', certificates) }),
  ...(leaves && { leaves: toParts(leaves) }),
});

const STATED = 'The ledger is the one that you entered.';
const UNSTATED = 'The ledger is the one that the file itself names: enter contract and chain id to have them compared.';

// Without a trust.json, a contract and a chain id that the reader knows are compared, and are no root.
const toTrust = async (given: Given): Promise<{ trust?: string; source: string }> => {
  if (given.trust !== undefined)
    return { trust: await readTrust(given.trust), source: 'The ledger is the one of your trust.json.' };
  if (given.contract.trim() === '' && given.chainId.trim() === '') return { source: UNSTATED };
  const { contract, chain_id } = readLedger(given);
  return { trust: JSON.stringify({ contract, chain_id: Number(chain_id) }), source: STATED };
};

const checkProofs = async (text: string, given: Given): Promise<GivenResult> => {
  const { trust, source } = await toTrust(given);
  try {
    const result = await checkEvidenceText(text, trust, toFiles(given));
    return { result, source: `Nobody was asked. ${source}` };
  } catch (error) {
    if (!(error instanceof UnreadableEvidence)) throw error;
    throw new Error(`The evidence file can’t be checked: ${toQuotation(error.message)}.`, { cause: error });
  }
};

/**
 * Checks a file.
 * @throws Error that says what to do, when there is no verdict.
 */
export const checkGiven = async (given: Given): Promise<GivenResult> => {
  if (given.file === undefined) throw new Error('Choose a file to check.');
  assertSize('The file', given.file);
  const kind = readKindOf(new Uint8Array(await given.file.arrayBuffer()));
  if (kind === undefined)
    throw new Error('This is neither the JSON of an event nor an evidence file. Save one of them from the ledger.');
  return 'event' in kind ? checkEvent(kind.event, given) : checkProofs(kind.evidence, given);
};
