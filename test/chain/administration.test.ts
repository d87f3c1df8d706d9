// Deployment and admission on a real chain.
import { expect } from 'chai';
import { admitTenant, findLedger, findOrDeployLedger, wasEverWriter } from '../../chain/administration.ts';
import type { EmbeddedChain } from '../../chain/embedded/embeddedChain.ts';
import { STATE_AGE_MAX } from '../../chain/embedded/rpc/stateBounds.ts';
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import type { ChainPort } from '../../chain/port.ts';
import type { Wallet } from '../../chain/wallet.ts';
import { signTransaction } from '../../chain/writing/signTransaction.ts';
import { readLedgerBytecode } from '../../host/files/ledgerArtifact.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { CHAIN_ID, deployTestLedger, openChain, walletOf } from '../support/chainLedger.ts';
import { useDirectories } from '../support/directories.ts';
import { ALPHA, BETA } from '../support/records.ts';
import { rejectionOf } from '../support/refusals.ts';
import { until } from '../support/until.ts';

const fetchHead = async (chain: EmbeddedChain): Promise<number> => (await chain.fetchFinalHead()).number;

// A transaction without effect: one more block, and one more nonce of the wallet.
const idle = (chain: EmbeddedChain, wallet: Wallet, nonce: number) =>
  chain.submitTransaction(
    signTransaction(
      {
        chainId: CHAIN_ID,
        nonce,
        gasLimit: 100_000,
        fees: { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
        to: wallet.addressBytes,
        data: new Uint8Array(),
      },
      wallet,
    ),
  );

describe('administration', () => {
  const makeDirectory = useDirectories();
  const opened: EmbeddedChain[] = [];
  const open = async (directory?: string): Promise<EmbeddedChain> => {
    const chain = await openChain(directory ?? (await makeDirectory()));
    opened.push(chain);
    return chain;
  };
  afterEach(() => Promise.all(opened.splice(0).map((chain) => chain.close())));

  const call = async (chain: EmbeddedChain, to: Hex, name: string, args: readonly unknown[]): Promise<unknown> => {
    const data = ledgerInterface.encodeFunctionData(name, args);
    const result = (await chain.request('eth_call', [{ to, data }, 'latest'])) as Hex;
    return ledgerInterface.decodeFunctionResult(name, result)[0];
  };

  describe('findOrDeployLedger', () => {
    it('deploys once, at an address that depends on the administrator only', async () => {
      const chain = await open();
      const deployment = await deployTestLedger(chain);
      expect(deployment).to.deep.equal({ address: deployment.address, deploymentBlock: 1 });
      expect(await call(chain, deployment.address, 'MAX_PAYLOAD_BYTES', [])).to.equal(65_536n);
      expect(await deployTestLedger(chain)).to.deep.equal(deployment);
      expect(await fetchHead(chain)).to.equal(1);
    });

    it('finds the deployment block among others, also after a restart', async () => {
      const directory = await makeDirectory();
      const chain = await open(directory);
      for (const nonce of [0, 1, 2, 3]) await idle(chain, walletOf('relayer'), nonce);
      const deployment = await deployTestLedger(chain);
      expect(deployment.deploymentBlock).to.equal(5);
      for (const nonce of [4, 5, 6]) await idle(chain, walletOf('relayer'), nonce);
      expect(await deployTestLedger(chain)).to.deep.equal(deployment);
      await chain.close();
      expect(await deployTestLedger(await open(directory))).to.deep.equal(deployment);
    });

    it('finds the deployment block when the states around it are no longer kept', async () => {
      const chain = await open();
      for (const nonce of [0, 1]) await idle(chain, walletOf('relayer'), nonce);
      const deployment = await deployTestLedger(chain);
      for (let nonce = 2; nonce < 2 * STATE_AGE_MAX + 6; nonce += 1) await idle(chain, walletOf('relayer'), nonce);
      expect(await deployTestLedger(chain)).to.deep.equal({ ...deployment, deploymentBlock: 3 });
    });

    it('ends the wait for the block of a deployment when its signal does', async () => {
      const chain = await open();
      const ending = new AbortController();
      let asked = 0;
      const request: EmbeddedChain['request'] = async (_, [, block]) => {
        asked += 1;
        return block === 'latest' ? '0x00' : '0x';
      };
      const finding = findLedger({ ...chain, request }, walletOf('relayer').address, ending.signal);
      await until(() => asked > 1);
      ending.abort();
      expect(await finding.catch((error: Error) => error.name)).to.equal('AbortError');
    });

    it('deploys a ledger for each administrator', async () => {
      const chain = await open();
      const bytecode = await readLedgerBytecode();
      const mine = await deployTestLedger(chain);
      const other = await findOrDeployLedger(chain, walletOf('another'), bytecode);
      expect(other.address).to.not.equal(mine.address);
      expect(await deployTestLedger(chain)).to.deep.equal(mine);
    });

    it('refuses an administrator whose first transaction was not the deployment', async () => {
      const chain = await open();
      await idle(chain, walletOf('ledger administrator'), 0);
      expect(await rejectionOf(deployTestLedger(chain))).to.equal('TRANSACTION_REFUSED');
    });

    it('refuses code that does not deploy', async () => {
      const chain = await open();
      const deploying = findOrDeployLedger(chain, walletOf('ledger administrator'), '0xfe');
      expect(await rejectionOf(deploying)).to.equal('TRANSACTION_REFUSED');
    });
  });

  describe('admitTenant', () => {
    const wallets = {
      ledgerAdministrator: walletOf('ledger administrator'),
      tenantAdministrator: walletOf('tenant administrator'),
      writer: walletOf('writer'),
    };
    const openLedger = async () => {
      const chain = await open();
      const { address } = await deployTestLedger(chain);
      return {
        chain,
        address,
        admit: (tenant: string, changed = {}) => admitTenant(chain, address, tenant, { ...wallets, ...changed }),
      };
    };
    const key = toHex(toKey(ALPHA));

    it('admits the tenant with its administrator and its writer', async () => {
      const { chain, address, admit } = await openLedger();
      await admit(ALPHA);
      const administrator = (await call(chain, address, 'administratorOf', [key])) as string;
      expect(administrator.toLowerCase()).to.equal(wallets.tenantAdministrator.address);
      expect(await call(chain, address, 'isWriter', [key, wallets.writer.address])).to.equal(true);
      expect(await call(chain, address, 'isWriter', [toHex(toKey(BETA)), wallets.writer.address])).to.equal(false);
    });

    it('changes nothing the second time', async () => {
      const { chain, admit } = await openLedger();
      await admit(ALPHA);
      const head = await fetchHead(chain);
      await admit(ALPHA);
      expect(await fetchHead(chain)).to.equal(head);
    });

    it('completes an admission that was interrupted', async () => {
      const { chain, address, admit } = await openLedger();
      expect(
        await rejectionOf(admit(ALPHA, { writer: { ...wallets.writer, address: `0x${'00'.repeat(20)}` } })),
      ).to.equal('TRANSACTION_REFUSED');
      await admit(ALPHA);
      expect(await call(chain, address, 'isWriter', [key, wallets.writer.address])).to.equal(true);
    });

    it('adds another writer to an existing tenant', async () => {
      const { chain, address, admit } = await openLedger();
      await admit(ALPHA);
      await admit(ALPHA, { writer: walletOf('second writer') });
      for (const name of ['writer', 'second writer']) {
        expect(await call(chain, address, 'isWriter', [key, walletOf(name).address])).to.equal(true);
      }
    });

    it('is refused without the right of the ledger administrator', async () => {
      const { chain, address, admit } = await openLedger();
      const refused = admit(ALPHA, { ledgerAdministrator: walletOf('thirdParty') });
      expect(await rejectionOf(refused)).to.equal('TRANSACTION_REFUSED');
      expect(await call(chain, address, 'administratorOf', [key])).to.equal(`0x${'00'.repeat(20)}`);
    });

    it('is refused without the right of the tenant administrator', async () => {
      const { chain, address, admit } = await openLedger();
      await admit(ALPHA);
      const writer = walletOf('intruder');
      for (const tenantAdministrator of [walletOf('thirdParty'), wallets.ledgerAdministrator]) {
        expect(await rejectionOf(admit(ALPHA, { tenantAdministrator, writer }))).to.equal('TRANSACTION_REFUSED');
      }
      expect(await call(chain, address, 'isWriter', [key, writer.address])).to.equal(false);
    });

    it('rejects with CHAIN_UNAVAILABLE when the chain is unavailable', async () => {
      const { chain, admit } = await openLedger();
      await chain.close();
      expect(await rejectionOf(admit(ALPHA))).to.equal('CHAIN_UNAVAILABLE');
    });
  });

  describe('wasEverWriter', () => {
    const FALSE = `0x${'00'.repeat(32)}`;
    const ACCOUNT: Hex = '0x00000000000000000000000000000000000000a1';

    // A chain of 25,001 blocks, on which the account is no writer, with one log in block 24,000 or none.
    const createLongChain = (logs: readonly object[], ranges: [number, number][]): ChainPort =>
      ({
        fetchFinalHead: async () => ({ number: 25_000, hash: FALSE }),
        request: async (method: string, [query]: readonly { fromBlock: string; toBlock: string }[]) => {
          if (method === 'eth_call') return FALSE;
          const [from, to] = [Number(query!.fromBlock), Number(query!.toBlock)];
          ranges.push([from, to]);
          return from <= 24_000 && to >= 24_000 ? logs : [];
        },
      }) as unknown as ChainPort;

    const PAGES = [
      [5, 10_004],
      [10_005, 20_004],
      [20_005, 25_000],
    ];

    it('searches all blocks of a long chain, 10,000 at a time', async () => {
      for (const logs of [[{ blockNumber: '0x5dc0' }], []]) {
        const ranges: [number, number][] = [];
        const deployment = { address: ACCOUNT, deploymentBlock: 5 };
        const isFound = await wasEverWriter(createLongChain(logs, ranges), deployment, ALPHA, ACCOUNT);
        expect(isFound).to.equal(logs.length === 1);
        expect(ranges).to.deep.equal(PAGES);
      }
    });
  });
});
