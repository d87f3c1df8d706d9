// Opens the records of checkpoints on another ledger, as the settings say.
import { toHex } from '../../ledger/encoding/hex.ts';
import type { LedgerTrust } from '../../ledger/evidence/bundle/trust.ts';
import type { Ledger } from '../openLedger.ts';
import { readAnchorCredentials, readAnchorTrust } from '../settings/anchorFiles.ts';
import type { Config } from '../settings/config.ts';
import { type Anchoring, startAnchoring } from './anchoring.ts';
import { createOtherLedger } from './otherLedger.ts';
import { readOtherRecord } from './otherRecord.ts';
import type { RecordedCheckpoints } from './recordedCheckpoints.ts';

/** The settings of records on another ledger. */
export type AnchorSettings = Partial<
  Pick<Config, 'anchorUrl' | 'anchorAsset' | 'anchorCredentialsFile' | 'anchorTrustFile' | 'anchorSeconds'>
>;

type OwnLedger = Pick<Ledger, 'chain' | 'contract' | 'now'>;

const assertOther = ({ chain, contract }: OwnLedger, trust: LedgerTrust): void => {
  if (trust.chainId === chain.chainId && toHex(trust.contract) === contract.toLowerCase())
    throw new Error('ANCHOR_TRUST_FILE names this ledger itself, whose records prove nothing about it');
};

/**
 * Has checkpoints recorded on the ledger that the settings name; undefined when they name none.
 * @throws Error when the file of the credentials or that of the roots can't be used, or names this ledger.
 */
export const openAnchoring = async (
  ledger: OwnLedger,
  settings: AnchorSettings,
  recorded: RecordedCheckpoints,
  onProblem: (message: string, cause?: unknown) => void,
): Promise<Anchoring | undefined> => {
  const { anchorUrl, anchorAsset, anchorCredentialsFile, anchorTrustFile, anchorSeconds = 0 } = settings;
  const isNamed = anchorUrl !== undefined && anchorAsset !== undefined;
  if (!isNamed || anchorCredentialsFile === undefined || anchorTrustFile === undefined || anchorSeconds === 0)
    return undefined;
  const readCredentials = () => readAnchorCredentials(anchorCredentialsFile);
  await readCredentials();
  const trust = await readAnchorTrust(anchorTrustFile);
  assertOther(ledger, trust);
  return startAnchoring({
    recorded,
    other: createOtherLedger({ url: anchorUrl, assetIdentity: anchorAsset, readCredentials }),
    readRecord: (text, message) => readOtherRecord(text, message, trust),
    periodSeconds: anchorSeconds,
    now: ledger.now,
    onProblem,
  });
};
