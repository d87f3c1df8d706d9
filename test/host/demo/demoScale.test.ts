import { expect } from 'chai';
import { countAssets, DEMO_SCALE, readDemoScale, toDemoName } from '../../../host/demo/demoScale.ts';

const texts = { seed: '7', assets: '24', events: '600' };

describe('the scale of the demo', () => {
  it('is read from the options', () => {
    expect(readDemoScale(texts)).to.deep.equal(DEMO_SCALE);
    expect(toDemoName(DEMO_SCALE)).to.equal('7-24-600');
  });

  it('names the option that is no whole number within its bounds', () => {
    const wrong: [keyof typeof texts, string[]][] = [
      ['seed', ['', '-1', '1000000', '1.5', 'seven', ' 7']],
      ['assets', ['7', '241', '1e2']],
      ['events', ['0', '20001', 'NaN', '0x10']],
    ];
    for (const [name, values] of wrong)
      for (const value of values)
        expect(() => readDemoScale({ ...texts, [name]: value }), value).to.throw(
          `--${name} is ${JSON.stringify(value)}; it must be a whole number from `,
        );
  });

  it('divides the assets, none of them lost', () => {
    expect(countAssets(24)).to.deep.equal({ containers: 12, gauges: 8, doors: 4 });
    for (let assets = 8; assets <= 240; assets += 1) {
      const { containers, gauges, doors } = countAssets(assets);
      expect(containers + gauges + doors).to.equal(assets);
      expect([containers >= 4, gauges >= 3, doors >= 1]).to.deep.equal([true, true, true]);
    }
  });
});
