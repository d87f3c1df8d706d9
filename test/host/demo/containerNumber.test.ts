import { expect } from 'chai';
import { toCheckDigit, toContainerNumber } from '../../../host/demo/containerNumber.ts';

// Published examples of the standard's check digit, and numbers of existing containers.
const KNOWN = ['CSQU3054383', 'ABCU1234560', 'ZEPU0037255', 'MSKU9070323', 'APZU4812090'];

describe('the number of a container', () => {
  it('has the check digit of ISO 6346', () => {
    for (const number of KNOWN) expect(toCheckDigit(number.slice(0, 10)), number).to.equal(Number(number[10]));
  });

  it('has another check digit when two neighbours are exchanged', () => {
    expect(toCheckDigit('CSQU305438')).not.to.equal(toCheckDigit('CSQU350438'));
  });

  it('has the owner, the serial number with leading zeros, and the check digit', () => {
    expect(toContainerNumber('CSQ', 305_438)).to.equal('CSQU3054383');
    expect(toContainerNumber('ZEP', 3_725)).to.equal('ZEPU0037255');
  });

  it('is that of the next serial number where the remainder is 10', () => {
    const values: Record<string, number> = { A: 10, B: 12, C: 13, U: 32 };
    const toRemainder = (code: string): number =>
      [...code].reduce((sum, one, at) => sum + (values[one] ?? Number(one)) * 2 ** at, 0) % 11;
    const serials = Array.from({ length: 200 }, (_, serial) => serial);
    const replaced = serials.filter((serial) => toRemainder(`ABCU${String(serial).padStart(6, '0')}`) === 10);
    expect(replaced.length).to.be.greaterThan(10);
    for (const serial of serials) {
      const expected = replaced.includes(serial) ? serial + 1 : serial;
      expect(toContainerNumber('ABC', serial).slice(4, 10)).to.equal(String(expected).padStart(6, '0'));
    }
  });
});
