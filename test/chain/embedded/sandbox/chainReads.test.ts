import { expect } from 'chai';
import type { Edr } from '../../../../chain/embedded/engine/toEdr.ts';
import { createChainReads } from '../../../../chain/embedded/sandbox/chainReads.ts';

const edr: Pick<Edr, 'requestText'> = { requestText: async (method) => `"${method}"` };

describe('the reads of a sandbox', () => {
  const failures: string[] = [];
  const answerRead = createChainReads(
    edr as Edr,
    () => 7,
    ({ message }) => failures.push(message),
  );
  const ask = async (body: string): Promise<unknown> => JSON.parse(await answerRead(body));
  const toRequest = (method: string, id = 1) => ({ jsonrpc: '2.0', id, method, params: [] });

  afterEach(() => void failures.splice(0));

  it('are answered by the chain, whose newest block is the forked one', async () => {
    const answers = await ask(JSON.stringify([toRequest('eth_getCode'), toRequest('eth_blockNumber', 2)]));
    expect(answers).to.deep.equal([
      { jsonrpc: '2.0', id: 1, result: 'eth_getCode' },
      { jsonrpc: '2.0', id: 2, result: '0x7' },
    ]);
    expect(failures).to.deep.equal([]);
  });

  it('are no other methods', async () => {
    expect(await ask(JSON.stringify(toRequest('evm_mine')))).to.have.nested.property('error.code', -32603);
    expect(failures).to.have.length(1);
  });

  it('are refused when they are not JSON, and end nothing', async () => {
    expect(await ask('{'))
      .to.deep.include({ id: null })
      .and.to.have.nested.property('error.code', -32700);
    expect(failures).to.have.length(1);
  });
});
