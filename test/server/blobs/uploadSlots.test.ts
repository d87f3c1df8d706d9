import { expect } from 'chai';
import { createUploadSlots, type Occupant } from '../../../server/blobs/uploadSlots.ts';

describe('upload slots', () => {
  const IDLE = { readSlowPace: () => undefined, end: () => undefined };
  const take = (limits = { max: 3, tenantMax: 2 }) => {
    const slots = createUploadSlots(limits);
    const ends: (() => void)[] = [];
    const occupy = (tenantIdentity: string, how: Partial<Occupant> = {}) => {
      const task = slots.occupy(
        { ...IDLE, ...how, tenantIdentity },
        () => new Promise<void>((resolve) => ends.push(resolve)),
      );
      return task.catch(({ code }: { code: string }) => code);
    };
    return { occupy, ends };
  };

  it('are limited for each tenant and in all', async () => {
    const { occupy, ends } = take();
    const first = [occupy('a'), occupy('a')];
    expect(await occupy('a')).to.equal('UPLOADS_BUSY');
    const other = occupy('b');
    expect(await occupy('c')).to.equal('UPLOADS_BUSY');
    for (const end of ends) end();
    expect(await Promise.all([...first, other])).to.eql([undefined, undefined, undefined]);
    const again = [occupy('a'), occupy('a'), occupy('c')];
    for (const end of ends) end();
    expect(await Promise.all(again)).to.eql([undefined, undefined, undefined]);
  });

  it('are left to other tenants, however many tenants take as many as they may', async () => {
    const { occupy, ends } = take({ max: 16, tenantMax: 8 });
    const all: Promise<unknown>[] = [];
    const takeAll = (tenantIdentity: string): number => {
      const before = ends.length;
      for (let count = 0; count < 8; count += 1) all.push(occupy(tenantIdentity));
      return ends.length - before;
    };
    expect(['a', 'b', 'c', 'd'].map(takeAll)).to.eql([8, 4, 2, 1]);
    for (const end of ends) end();
    await Promise.all(all);
  });

  it('are taken from the slowest upload when none is free, first of the tenant, then of all', async () => {
    const { occupy, ends } = take();
    const ended: string[] = [];
    const slow = (name: string, pace: number) => ({ readSlowPace: () => pace, end: () => ended.push(name) });
    const all = [occupy('a', slow('a slow', 20)), occupy('a', slow('a slower', 10)), occupy('b', slow('b slowest', 1))];
    all.push(occupy('a'));
    expect(ended).to.eql(['a slower']);
    all.push(occupy('c'));
    expect(ended).to.eql(['a slower', 'b slowest']);
    all.push(occupy('c'));
    expect(ended).to.eql(['a slower', 'b slowest', 'a slow']);
    expect(await occupy('b')).to.equal('UPLOADS_BUSY');
    for (const end of ends) end();
    await Promise.all(all);
    const again = [occupy('a'), occupy('a'), occupy('b')];
    for (const end of ends) end();
    expect(await Promise.all(again)).to.eql([undefined, undefined, undefined]);
  });
});
