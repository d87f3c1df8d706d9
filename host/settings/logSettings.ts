// The settings of the block log: its checkpoints, its witnesses and its time stamps.
import { optional } from './setting.ts';
import { asCount, asLogOrigin, asPath, asPositive } from './settingReaders.ts';
import { asTsaUrl, asWitnesses } from './witnessSettings.ts';

/** The settings by their names in the configuration. */
export const LOG_SETTINGS = {
  checkpointSeconds: optional(
    'CHECKPOINT_SECONDS',
    asCount,
    "Seconds between two checkpoints of the block log while records are added; without it 600 on the embedded chain and 60 on a network. 0: this server has no block log. Of an organisation's servers one should have it",
  ),
  logOrigin: optional(
    'LOG_ORIGIN',
    asLogOrigin,
    'Name of the block log, fixed at its first start; without it the host of `PUBLIC_URL`, else the first of `PUBLIC_HOSTS`, else `localhost`, then `/<chain id>/<contract>`',
  ),
  witnesses: optional(
    'WITNESSES',
    asWitnesses,
    'Witnesses of the block log, separated by commas: the verifier key of each, a blank and its URL ([witness.md](witness.md)). With them only a checkpoint that `WITNESS_QUORUM` of them have cosigned is shown',
  ),
  witnessQuorum: optional(
    'WITNESS_QUORUM',
    asPositive,
    'How many witnesses make a checkpoint valid; without it all of them',
  ),
  tsaUrl: optional(
    'TSA_URL',
    asTsaUrl,
    'Time stamping authority (RFC 3161) that stamps each checkpoint that is shown. Needs `TSA_CA_FILE`',
  ),
  tsaCaFile: optional(
    'TSA_CA_FILE',
    asPath,
    "Certificates (PEM) of that authority, from the root to the one that signs; a time stamp that they don't verify is not used",
  ),
} as const;
