// The explorer that the set-up has built, for a test's ledger.
import { openExplorer } from '../../host/openExplorer.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { SERVER_LIMITS } from '../../host/settings/installationLimits.ts';
import type { OidcIssuerSettings } from '../../server/auth/tokens/oidcSettings.ts';

/** Its files, with the configuration of a server that passes on reads of the chain. */
export const openBuiltExplorer = (
  { contract, chain }: Pick<Ledger, 'contract' | 'chain'>,
  issuers: readonly OidcIssuerSettings[] = [],
) => {
  const blobBytesMax = SERVER_LIMITS.blobBytesMax;
  return openExplorer({ contract, chain_id: String(chain.chainId), rpc: true, blob_bytes_max: blobBytesMax }, issuers);
};
