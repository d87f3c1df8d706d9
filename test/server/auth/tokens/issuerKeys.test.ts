// Cases whose timing can't be controlled over HTTP: a fetch that began before a key was published, and a fetch that
// fails while several requests wait for it.
import { expect } from 'chai';
import { errors, generateKeyPair } from 'jose';
import type { KeySet } from '../../../../server/auth/tokens/fetchKeySet.ts';
import { createIssuerKeys, KEYS_FRESH_MS, REFETCH_MS } from '../../../../server/auth/tokens/issuerKeys.ts';

const START_MS = Date.parse('2026-11-20T10:00:00Z');

describe('issuerKeys', () => {
  const create = async () => {
    const { publicKey } = await generateKeyPair('ES256');
    const clock = { atMs: START_MS };
    const fetches: PromiseWithResolvers<KeySet>[] = [];
    const keys = createIssuerKeys({
      issuer: 'https://login.example',
      clockToleranceSeconds: 30,
      fetchKeySet: () => {
        fetches.push(Promise.withResolvers());
        return fetches.at(-1)!.promise;
      },
      now: () => clock.atMs,
      onProblem: () => undefined,
    });
    const publish = (...kids: string[]): KeySet =>
      (async (header: { kid: string }) => {
        if (!kids.includes(header.kid)) throw new errors.JWKSNoMatchingKey();
        return publicKey;
      }) as unknown as KeySet;
    const find = (kid: string): Promise<string> =>
      keys.find({ alg: 'ES256', kid }, clock.atMs / 1000).then(
        () => 'found',
        ({ code }: { code: string }) => code,
      );
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    return { clock, fetches, publish, find, turn, keys };
  };

  it('fetches again for a key that the fetch in progress may have missed', async () => {
    const { fetches, publish, find, turn } = await create();
    const first = find('a');
    await turn();
    const second = find('b');
    await turn();
    expect(fetches).to.have.length(1);
    fetches[0]!.resolve(publish('a'));
    expect(await first).to.equal('found');
    await turn();
    expect(fetches).to.have.length(2);
    fetches[1]!.resolve(publish('a', 'b'));
    expect(await second).to.equal('found');
  });

  it('fetches only once more for any number of unknown keys', async () => {
    const { fetches, publish, find, turn } = await create();
    const unknown = Array.from({ length: 50 }, (_, number) => find(`x${number}`));
    await turn();
    fetches[0]!.resolve(publish('a'));
    await turn();
    fetches[1]?.resolve(publish('a'));
    for (const answer of await Promise.all(unknown))
      expect(answer).to.be.oneOf(['UNAUTHENTICATED', 'ISSUER_UNAVAILABLE']);
    expect(fetches.length).to.be.at.most(2);
    await find('y');
    expect(fetches.length).to.be.at.most(2);
  });

  it('finds a new key although a refetch is already planned', async () => {
    const { clock, fetches, publish, find, turn } = await create();
    const first = find('a');
    await turn();
    fetches[0]!.resolve(publish('a'));
    await first;
    clock.atMs += 1;
    const second = find('b');
    await turn();
    fetches[1]!.resolve(publish('a', 'b'));
    expect(await second).to.equal('found');
  });

  it('answers all requests that wait for a failed fetch, and uses the keys that it has in the meantime', async () => {
    const { clock, fetches, publish, find, turn, keys } = await create();
    const waiting = [find('a'), find('a')];
    await turn();
    fetches[0]!.reject(new Error('away'));
    expect(await Promise.all(waiting)).to.eql(['ISSUER_UNAVAILABLE', 'ISSUER_UNAVAILABLE']);
    expect(keys.freshUntilMs()).to.equal(-Infinity);
    clock.atMs += REFETCH_MS;
    const again = find('a');
    await turn();
    fetches[1]!.resolve(publish('a'));
    expect(await again).to.equal('found');
    expect(keys.freshUntilMs()).to.equal(clock.atMs + KEYS_FRESH_MS);
    clock.atMs += KEYS_FRESH_MS;
    const stale = find('a');
    await turn();
    fetches[2]!.reject(new Error('away'));
    expect(await stale).to.equal('found');
    expect([await find('a'), await find('b')]).to.eql(['found', 'ISSUER_UNAVAILABLE']);
    expect(fetches).to.have.length(3);
  });
});
