// An import of policies that an earlier version wrote, without escapes.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { importFile } from '../../../host/import/importFile.ts';
import type { ImportRole } from '../../../host/import/importRequests.ts';
import { createAnAsset } from '../../server/support/requests.ts';
import { useNewServer } from '../../server/support/useServer.ts';
import { useDirectories } from '../../support/directories.ts';

const POLICY = {
  identity: 'compliance_policies/6a1f1f1e-0b7e-4a58-9f43-0d2f8b1f6e3a',
  compliance_type: 'COMPLIANCE_RICHNESS',
  display_name: 'paths',
  description: '',
  asset_filter: [{ or: [String.raw`path\=C`, 'ex:site=A'] }],
  event_display_type: '',
  closing_event_display_type: '',
  time_period_seconds: '0',
  dynamic_window: '0',
  dynamic_variability: 0,
  richness_assertions: [{ or: [String.raw`path\=C`, 'type=Pump'] }],
};

describe('an import of policies of an earlier version', () => {
  const server = useNewServer();
  const createDirectory = useDirectories();

  const importPolicy = async (policy: object) => {
    const path = join(await createDirectory(), 'source');
    await writeFile(path, JSON.stringify([policy]));
    const readToken = async (role: ImportRole) => (await server.tokens.issue(server.tenant[role])).token;
    const target = { url: server.url, readToken, pause: async () => {} };
    const counts = await importFile({ path, files: undefined }, target, { onFailure: () => {}, onProgress: () => {} });
    expect(counts).to.include({ policies: 1, failed: 0 });
    return (await server.request('GET', '/svc/v1/compliance_policies')).body.compliance_policies[0];
  };
  const judge = async (attributes: object) => {
    const asset = await createAnAsset(server, { attributes });
    const { body } = await server.request('GET', `/svc/v1/compliance/assets/${asset}`);
    return body.compliance.map(({ compliant }: { compliant: boolean }) => compliant);
  };

  it('keeps the meaning of texts with backslashes before signs, and of those with two readings', async () => {
    await importPolicy(POLICY);
    // The backslash is the end of the name, and the first sign ends it.
    expect(await judge({ 'path\\': 'C' })).to.eql([true]);
    expect(await judge({ ex: 'site=A' })).to.eql([false]);
    expect(await judge({ 'path=C': '' })).to.eql([]);
    expect(await judge({ 'ex:site': 'A' })).to.eql([]);
  });

  it('leaves texts that name their syntax as they are', async () => {
    const texts = [{ or: [String.raw`a\:b=1`] }];
    const policy = { ...POLICY, asset_filter: texts, richness_assertions: texts, condition_syntax: 'escaped' };
    expect(await importPolicy(policy)).to.deep.include({ asset_filter: texts, condition_syntax: 'escaped' });
  });
});
