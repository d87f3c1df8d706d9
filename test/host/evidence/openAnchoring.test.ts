// The files of the settings of records on another ledger.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TestAnchorSettings, useAnchoredLedger } from '../../support/anchoredLedger.ts';
import { failureOf } from '../../support/refusals.ts';
import { until } from '../../support/until.ts';

describe('the settings of records on another ledger', () => {
  const { own, makeDirectory, other, open, recordAndCheckpoint, isRecorded } = useAnchoredLedger();

  it('need files that can be used', async () => {
    const directory = await makeDirectory();
    const write = async (name: string, text: string, mode = 0o600): Promise<string> => {
      await writeFile(join(directory, name), text);
      await chmod(join(directory, name), mode);
      return join(directory, name);
    };
    const { chain, contract } = own().ledger;
    const wrong: [string, Partial<TestAnchorSettings>][] = [
      ['ANCHOR_CREDENTIALS_FILE', { anchorCredentialsFile: join(directory, 'none') }],
      ['ANCHOR_CREDENTIALS_FILE', { anchorCredentialsFile: await write('open', 'a-token', 0o644) }],
      ['ANCHOR_CREDENTIALS_FILE', { anchorCredentialsFile: await write('half', 'client_id=a\nclient=b') }],
      ['ANCHOR_CREDENTIALS_FILE', { anchorCredentialsFile: await write('empty', '# nothing\n') }],
      ['ANCHOR_TRUST_FILE', { anchorTrustFile: await write('text', 'trust') }],
      [
        'ANCHOR_TRUST_FILE',
        { anchorTrustFile: await write('own', JSON.stringify({ chain_id: chain.chainId, contract })) },
      ],
    ];
    for (const [name, changed] of wrong) {
      const error = (await failureOf(open(changed))) as Error;
      expect(error.message).to.include(name);
      expect(error.message).not.to.include('a-token');
    }
    const token = await write('token', `${other().tenant.token}\n`);
    const checkpoints = await open({ anchorCredentialsFile: token });
    const { block } = await recordAndCheckpoint(checkpoints);
    await until(() => isRecorded(checkpoints, block));
  });
});
