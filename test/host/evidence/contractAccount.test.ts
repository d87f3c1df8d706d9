// The proof of the contract's account: of the deployment's block, or of a later one where nodes no longer have that.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { toQuantity } from '../../../chain/jsonRpc/toQuantity.ts';
import { type ContractAccountOptions, openContractAccount } from '../../../host/evidence/contractAccount.ts';
import { CHAIN_KINDS } from '../../support/chainKinds.ts';
import { useDirectories } from '../../support/directories.ts';
import { useSharedLedger } from '../../support/sharedLedger.ts';

const ACCOUNT = 'account.json';

for (const kind of CHAIN_KINDS) {
  describe(`the proof of the contract's account on ${kind.name}`, () => {
    const shared = useSharedLedger({}, kind);
    const makeDirectory = useDirectories();
    let directory: string;
    let problems: string[];
    let asked: unknown[];
    let spoil: (answer: { accountProof: string[] }, block: unknown) => unknown;

    const open = () => {
      const { chain, contract, deploymentBlock } = shared().ledger;
      const request: ContractAccountOptions['chain']['request'] = async (method, params) => {
        if (method !== 'eth_getProof') return chain.request(method, params);
        asked.push(params[2]);
        return spoil((await chain.request(method, params)) as { accountProof: string[] }, params[2]);
      };
      const onProblem = (message: string): void => void problems.push(message);
      return openContractAccount({ directory, chain: { ...chain, request }, contract, deploymentBlock, onProblem });
    };
    const deployment = (): string => toQuantity(shared().ledger.deploymentBlock);
    const refuse = (): never => {
      throw new Error('missing trie node');
    };

    beforeEach(async () => {
      directory = await makeDirectory();
      [problems, asked] = [[], []];
      spoil = (answer) => answer;
    });

    it('is made once, of the block of the deployment, and kept', async () => {
      const account = await open();
      expect(account.find()).to.equal(undefined);
      await account.prove();
      await account.prove();
      expect(asked).to.deep.equal([deployment()]);
      const again = await open();
      expect(again.find()).to.deep.equal(account.find());
      expect(again.find()!.blockNumber).to.equal(shared().ledger.deploymentBlock);
      await again.prove();
      expect([asked.length, problems]).to.deep.equal([1, []]);
    });

    it('is of the newest final block where nodes have not the state of the deployment', async () => {
      await shared().alpha.createAsset();
      spoil = (answer, block) => (block === deployment() ? refuse() : answer);
      const account = await open();
      await account.prove();
      expect(account.find()!.blockNumber).to.be.greaterThan(shared().ledger.deploymentBlock);
      expect([asked.length, problems]).to.deep.equal([2, []]);
    });

    it('is tried again after a failure, which is reported once', async () => {
      spoil = refuse;
      const account = await open();
      await account.prove();
      await account.prove();
      expect([account.find(), problems.length]).to.deep.equal([undefined, 1]);
      spoil = (answer) => answer;
      await account.prove();
      expect(account.find()).to.not.equal(undefined);
    });

    it('is not made of an answer that proves nothing', async () => {
      const spoilers: (typeof spoil)[] = [
        ({ accountProof }) => ({ accountProof: accountProof.slice(1) }),
        ({ accountProof }) => ({ accountProof: [...accountProof, '0x80'] }),
        ({ accountProof }) => ({ accountProof: accountProof.map((node) => node.replace(/..$/, 'ff')) }),
        ({ accountProof }) => ({ accountProof: accountProof.join() }),
        () => ({ accountProof: ['0xc0'] }),
        () => ({ accountProof: ['nothing'] }),
        () => ({ accountProof: [] }),
        () => ({}),
        () => null,
      ];
      for (const [at, each] of spoilers.entries()) {
        spoil = each;
        const account = await open();
        await account.prove();
        expect([at, account.find()]).to.deep.equal([at, undefined]);
      }
      expect(problems).to.have.length(spoilers.length);
    });

    it('is refused when its file is damaged', async () => {
      await (await open()).prove();
      const path = join(directory, ACCOUNT);
      const text = await readFile(path, 'utf8');
      for (const damaged of ['', '{}', text.slice(0, -3), text.replace(':', ':"x",'), text.replace('["', '["?')]) {
        await writeFile(path, damaged);
        const error = await open().catch((cause: unknown) => cause);
        expect(error, damaged.slice(0, 40)).to.include({ code: 'LOG_CORRUPT' });
      }
    });
  });
}
