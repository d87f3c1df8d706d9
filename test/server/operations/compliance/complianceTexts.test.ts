// How a check evaluates the texts of policies (decisions 53 and 54).
import { expect } from 'chai';
import { check, createAssetAt } from '../../support/compliance.ts';
import { createAPolicy } from '../../support/requests.ts';
import { useNewServer } from '../../support/useServer.ts';

const NOW = '2026-11-20T10:00:00.000Z';
const rich = (assertion: string, condition: string) => ({
  compliance_type: 'COMPLIANCE_RICHNESS',
  richness_assertions: [{ or: [assertion] }],
  asset_filter: [{ or: [condition] }],
});

describe('a check by texts', () => {
  const server = useNewServer();

  it('evaluates an attribute alike with and without the prefix, and an empty one as missing', async () => {
    const verdicts = async (attributes: object) => {
      const { compliance } = await check(server, await createAssetAt(server, NOW, attributes));
      return compliance.map(({ compliant, evidence }: { compliant: boolean; evidence: { missing: string[] } }) => [
        compliant,
        evidence.missing,
      ]);
    };
    for (const name of ['weight', 'attributes.weight'])
      await createAPolicy(server, rich(`${name}<10`, `${name}!=nothing`));
    expect(await verdicts({ weight: '9' })).to.eql([
      [true, []],
      [true, []],
    ]);
    expect(await verdicts({ weight: '9 kg' })).to.eql([
      [false, []],
      [false, []],
    ]);
    expect(await verdicts({ weight: '' })).to.eql([
      [false, ['weight']],
      [false, ['weight']],
    ]);
  });
});
