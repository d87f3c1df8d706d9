import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { LEDGER_ARTIFACT, readLedgerBytecode } from '../../../host/files/ledgerArtifact.ts';
import { useDirectories } from '../../support/directories.ts';

describe('the compiled contract', () => {
  const newDirectory = useDirectories();

  const expectRefused = async (text: string | undefined, state: string): Promise<void> => {
    const path = join(await newDirectory(), 'artifact.json');
    if (text !== undefined) await writeFile(path, text);
    const { message } = await readLedgerBytecode(pathToFileURL(path)).then(
      () => new Error('it was read'),
      (error: Error) => error,
    );
    expect(message).to.include(`the compiled contract ${path} ${state}`);
    expect(message).to.match(/: restore it with `git checkout contracts\/artifact`, or .* `npm run generate`$/);
  };

  it('is bytecode', async () => {
    expect(await readLedgerBytecode()).to.match(/^0x[0-9a-f]{1000,}$/);
  });

  it('that is missing is reported with its path and the remedy', () => expectRefused(undefined, 'is missing: '));

  it('that is damaged is reported with its path and the remedy', async () => {
    const text = await readFile(LEDGER_ARTIFACT, 'utf8');
    for (const damaged of [text.slice(0, -10), text.replace('"0x', '"0y'), '', 'null', '{"bytecode":"0x"}'])
      await expectRefused(damaged, 'is unusable (');
  });
});
