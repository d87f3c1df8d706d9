// npm run --silent evidence -- IDENTITY [--out FILE]: writes a file that proves offline what the ledger has.
import { Command, InvalidArgumentError } from 'commander';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { runCommand } from '../host/operator/runCommand.ts';
import { type EvidenceOptions, saveEvidence } from '../host/operator/saveEvidence.ts';
import { TENANT_OPTION } from '../host/operator/tenantOption.ts';

const HELP = `
IDENTITY is that of an event (assets/UUID/events/UUID), of an asset (assets/UUID: its history; with --to a range of it,
with --policy a verdict on it), or of the tenant (tenant/UUID: the list of its records, in a second file FILE.leaves;
needs --out). A range needs --to, and always has its records. A verdict discloses records of the policy and the asset.
Exit codes: 0 the file is written, 1 it is not.`;

const toPosition = (text: string): number => {
  const position = Number(text);
  if (!Number.isSafeInteger(position) || position < 1) throw new InvalidArgumentError('a position is 1 or more.');
  return position;
};

/** Runs `npm run evidence` with these arguments. */
export const evidenceCommand = (args: readonly string[]): Promise<void> =>
  parseCommand(
    new Command('evidence')
      .description(
        'Writes an evidence file of a tenant of the running server of this data directory (DATA_DIR). npm run verify -- FILE --trust trust.json checks it.',
      )
      .argument('<identity>', 'what the file is about')
      .option('--out <file>', 'new file; standard output unless given')
      .option(
        '--from <position>',
        'first record of a range of an asset, 1 unless given; a range needs --to',
        toPosition,
      )
      .option('--to <position>', 'last record of a range of an asset', toPosition)
      .option('--records', 'put the records of an asset into the file, not their digests alone')
      .option('--policy <policy>', 'identity or UUID of a compliance policy: prove its verdict on an asset')
      .option('--at <time>', 'time of the verdict, as 2026-11-23T01:02:03Z; now unless given; needs --policy')
      .option('--code', "show the contract's code, too, by a proof of its account")
      .option('--absent', 'prove that the tenant has nothing of this identity')
      .option(...TENANT_OPTION)
      .addHelpText('after', HELP)
      .action((identity: string, options: EvidenceOptions) =>
        runCommand('no evidence', () => saveEvidence(identity, options)),
      ),
    args,
  );

if (import.meta.main) await runMain(evidenceCommand);
