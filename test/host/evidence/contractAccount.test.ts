// The proof of the contract's account: of the deployment's block, or of a later one where nodes no longer have that.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { fetchAccountNodes } from '../../../chain/evidence/accountProof.ts';
import type { JsonRpcClient } from '../../../chain/jsonRpc/jsonRpcClient.ts';
import { createNodeMarks } from '../../../chain/jsonRpc/nodeMarks.ts';
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import type { BlockRef } from '../../../chain/port.ts';
import { createContractAccount } from '../../../host/evidence/contractAccount.ts';
import { CHAIN_KINDS } from '../../support/chainKinds.ts';
import { useDirectories } from '../../support/directories.ts';
import { useSharedLedger } from '../../support/sharedLedger.ts';
import { until } from '../../support/until.ts';

const ACCOUNT = 'account.json';
const PAUSE_MS = 600_000;

for (const kind of CHAIN_KINDS) {
  describe(`the proof of the contract's account on ${kind.name}`, () => {
    const shared = useSharedLedger({}, kind);
    const makeDirectory = useDirectories();
    let directory: string;
    let problems: string[];
    let asked: number[];
    let nowMs: number;
    let refuse: (block: number) => void | Promise<void>;

    const open = () => {
      const { chain, contract, deploymentBlock } = shared().ledger;
      return createContractAccount({
        directory,
        chain: {
          ...chain,
          fetchAccountNodes: async (address, block) => {
            asked.push(block.number);
            await refuse(block.number);
            return chain.fetchAccountNodes(address, block);
          },
        },
        contract,
        deploymentBlock,
        elapsedMs: () => nowMs,
        onProblem: (message) => void problems.push(message),
      });
    };
    const deployment = (): number => shared().ledger.deploymentBlock;
    const never = (): never => {
      throw new Error('missing trie node');
    };

    beforeEach(async () => {
      directory = await makeDirectory();
      [problems, asked, nowMs] = [[], [], 0];
      refuse = () => undefined;
    });

    it('is made once, of the block of the deployment, and kept', async () => {
      const account = open();
      expect(account.find()).to.equal(undefined);
      await Promise.all([account.prove(), account.prove()]);
      await account.prove();
      expect(asked).to.deep.equal([deployment()]);
      const again = open();
      await again.prove();
      expect(again.find()).to.deep.equal(account.find());
      expect(again.find()!.blockNumber).to.equal(deployment());
      expect([asked.length, problems]).to.deep.equal([1, []]);
    });

    it('is of the newest final block where nodes have not the state of the deployment', async () => {
      await shared().alpha.createAsset();
      refuse = (block) => (block === deployment() ? never() : undefined);
      const account = open();
      await account.prove();
      expect(account.find()!.blockNumber).to.be.greaterThan(deployment());
      expect([asked.length, problems]).to.deep.equal([2, []]);
    });

    it('is tried again some time after a failure, which is reported once', async () => {
      refuse = never;
      const account = open();
      await account.prove();
      await account.prove();
      expect([account.find(), problems.length, asked.length]).to.deep.equal([undefined, 1, 2]);
      nowMs += PAUSE_MS;
      await account.prove();
      expect([problems.length, asked.length]).to.deep.equal([1, 4]);
      refuse = () => undefined;
      nowMs += PAUSE_MS;
      await account.prove();
      expect(account.find()).to.not.equal(undefined);
    });

    it('is neither written nor reported after a stop', async () => {
      for (const end of [() => undefined, never]) {
        const { promise: held, resolve: release } = Promise.withResolvers<void>();
        refuse = async () => {
          await held;
          end();
        };
        const account = open();
        const attempt = account.prove();
        await until(() => asked.length > 0);
        account.stop();
        release();
        await attempt;
        expect([account.find(), problems]).to.deep.equal([undefined, []]);
      }
    });

    it('is made again when its file is damaged', async () => {
      await open().prove();
      const path = join(directory, ACCOUNT);
      const text = await readFile(path, 'utf8');
      const { nodes } = JSON.parse(text) as { nodes: string[] };
      const others = [
        { block_number: 0, nodes },
        { block_number: deployment(), nodes: nodes.slice(1) },
        { block_number: deployment(), nodes: ['AAAA'] },
      ].map((each) => JSON.stringify(each));
      for (const damaged of ['', '{}', text.slice(0, -3), text.replace('["', '["?'), ...others]) {
        await writeFile(path, damaged);
        problems = [];
        const account = open();
        await account.prove();
        expect([damaged, account.find()?.blockNumber, problems.length]).to.deep.equal([damaged, deployment(), 1]);
        expect(await readFile(path, 'utf8')).to.equal(text);
      }
    });

    it('is refused where it proves nothing, and no false answer', async () => {
      const { chain, contract } = shared().ledger;
      const number = deployment();
      const block: BlockRef = { number, hash: (await chain.fetchBlockHash(number))! };
      const fetchWith = (spoil: (nodes: string[]) => unknown): Promise<unknown> => {
        const request: JsonRpcClient['request'] = async (method, params) => {
          const answer = await chain.request(method, params);
          return method === 'eth_getProof' ? spoil((answer as { accountProof: string[] }).accountProof) : answer;
        };
        const marks = createNodeMarks(() => 0);
        const requestBatch: JsonRpcClient['requestBatch'] = (calls) =>
          Promise.all(calls.map(({ method, params }) => request(method, params)));
        return fetchAccountNodes({ name: 'a node', marks, request, requestBatch }, contract, block);
      };
      expect(await fetchWith((accountProof) => ({ accountProof }))).to.have.length.greaterThan(0);
      const lies: ((nodes: string[]) => unknown)[] = [
        (nodes) => ({ accountProof: nodes.slice(1) }),
        (nodes) => ({ accountProof: [...nodes, '0x80'] }),
        (nodes) => ({ accountProof: nodes.map((node) => node.replace(/..$/, 'ff')) }),
        () => ({ accountProof: ['0xc0'] }),
        () => ({ accountProof: [] }),
      ];
      for (const [at, lie] of lies.entries())
        expect([at, await fetchWith(lie).catch((error: unknown) => error instanceof RpcError)]).to.deep.equal([
          at,
          true,
        ]);
      for (const answer of [null, {}, { accountProof: '0x00' }, { accountProof: ['nothing'] }])
        expect(await fetchWith(() => answer).catch((error: unknown) => error)).to.include({
          code: 'CHAIN_UNAVAILABLE',
        });
    });
  });
}
