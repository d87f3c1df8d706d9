import { expect } from 'chai';
import { createUploadSlots, type Occupant } from '../../../server/blobs/uploadSlots.ts';

describe('upload slots', () => {
  const IDLE = { readSlowPace: () => undefined, end: () => undefined };
  const take = () => {
    const slots = createUploadSlots({ max: 3, tenantMax: 2 });
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
