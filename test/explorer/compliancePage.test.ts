// The page of the compliance operations, as a browser opens it: without a token, and with files of this server alone.
import { expect } from 'chai';
import { describeInBrowser } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';

describeInBrowser('the page of the compliance operations', () => {
  const explorer = useExplorer();

  it('shows each operation of its document at :openapi-ui', async () => {
    const described = await fetch(`${explorer().server.url}/docs/compliance.json`);
    const { paths } = (await described.json()) as { paths: Record<string, object> };
    const path = '/archivist/v1/compliance_policies:openapi-ui';
    const { page, faults, close } = await explorer().open(path, undefined, { token: null });
    await page.locator('.opblock-summary-path').first().waitFor();
    const shown = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.opblock-summary-path')].map(({ dataset }) => dataset.path)`,
    );
    expect(shown).to.have.members(Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map(() => path)));
    expect(faults).to.deep.equal([]);
    await close();
  });
});
