// A tenant that begins to be served while the server runs: others prepare for it before anything of it is written.
import { expect } from 'chai';
import { openKeyring } from '../../../host/keyring.ts';
import { openTenantWallets } from '../../../host/wallets/tenantWallets.ts';
import { useDirectories } from '../../support/directories.ts';
import { codeOf, NOT_REFUSED } from '../../support/refusals.ts';

const ALPHA = 'tenant/a1f2c3d4-0000-4000-8000-000000000001';
const BETA = 'tenant/a1f2c3d4-0000-4000-8000-000000000002';

describe('the wallets of tenants', () => {
  const createDirectory = useDirectories();

  const open = async (directory: string) => openTenantWallets(await openKeyring(directory));

  it('announce a new tenant before its author can sign, and again none that is there', async () => {
    const wallets = await open(await createDirectory());
    const announced: string[] = [];
    wallets.onAdded(async (identity) => {
      announced.push(`${identity} ${codeOf(() => wallets.authorOf(identity))}`);
    });
    const { author } = await wallets.create(ALPHA);
    expect(await wallets.add(ALPHA)).to.equal(author);
    await wallets.add(BETA);
    expect(announced).to.deep.equal([`${ALPHA} AUTHOR_UNAVAILABLE`, `${BETA} AUTHOR_UNAVAILABLE`]);
    expect(wallets.tenantIdentities()).to.deep.equal([ALPHA, BETA]);
    expect(codeOf(() => wallets.authorOf(BETA))).to.equal(NOT_REFUSED);
  });

  it('do not add a tenant that a listener could not prepare for, until it can', async () => {
    const directory = await createDirectory();
    const wallets = await open(directory);
    const end = wallets.onAdded(() => Promise.reject(new Error('no')));
    expect(await wallets.add(ALPHA).catch((error: Error) => error.message)).to.equal('no');
    expect(wallets.tenantIdentities()).to.deep.equal([]);
    end();
    const { address } = await wallets.add(ALPHA);
    expect((await open(directory)).findAddress(ALPHA)).to.equal(address);
  });
});
