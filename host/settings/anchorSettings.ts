// The settings of the records of checkpoints on another ledger.
import { parseAssetIdentity } from '../../ledger/identity.ts';
import { isTrustedUrl } from '../../server/auth/tokens/oidcSettings.ts';
import { optional, setting } from './setting.ts';
import { asCount, asPath, type ReadText } from './settingReaders.ts';

const DAY_SECONDS = 86_400;

// Requests have a secret.
const asApiUrl: ReadText<string> = (text) => {
  const url = URL.parse(text);
  if (url !== null && isTrustedUrl(url) && url.search === '' && url.hash === '') return url.href.replace(/\/+$/, '');
  throw new Error(
    'must be an https URL without a password and parameters, such as https://other.example/archivist, or http on this machine',
  );
};

const asAsset: ReadText<string> = (text) => {
  const identity = parseAssetIdentity(text);
  if (identity !== undefined) return identity;
  throw new Error('must be the identity of an asset: assets/ and its UUID');
};

/** The settings by their names in the configuration. */
export const ANCHOR_SETTINGS = {
  anchorUrl: optional(
    'ANCHOR_URL',
    asApiUrl,
    'API of another ledger, where checkpoints of the block log are recorded: its URL with the prefix of the API, such as `https://other.example/archivist`. Needs the next three settings',
  ),
  anchorAsset: optional('ANCHOR_ASSET', asAsset, 'Asset of that ledger whose events are the records: `assets/<uuid>`'),
  anchorCredentialsFile: optional(
    'ANCHOR_CREDENTIALS_FILE',
    asPath,
    'File, mode 0600, with the credentials of an application there, as lines `client_id=...` and `client_secret=...`, or with a bearer token alone. Read for each record',
  ),
  anchorTrustFile: optional(
    'ANCHOR_TRUST_FILE',
    asPath,
    'Roots of trust of that ledger, as its `npm run --silent log:key -- --trust` prints them; a record that they do not prove is not used',
  ),
  anchorSeconds: setting(
    'ANCHOR_SECONDS',
    DAY_SECONDS,
    asCount,
    'Seconds between two records on the other ledger while the block log grows. 0: none are made. A server without a block log (`CHECKPOINT_SECONDS=0`) makes none, and starts with the settings of the other ledger only if this is 0',
  ),
} as const;
