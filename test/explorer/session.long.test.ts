// What happens in a real browser when the token of a session expires while a person reads.
import { expect } from 'chai';
import { findChromium } from './browser.ts';
import { addressOf, pasteToken, signInAtIssuer, useSignInFixture } from './signInFixture.ts';

const HOUR_MS = 3_600_000;

describe('a session of the explorer', function () {
  const executable = findChromium();
  if (executable === undefined) {
    it('is not tested: there is no Chromium on the PATH');
    return;
  }
  this.timeout(300_000);
  const fixture = useSignInFixture(executable);

  it('leads after its end and a new sign-in back to the page, which stays readable meanwhile', async () => {
    const { server, issuer, open } = fixture();
    const { page, faults, close } = await open();
    issuer.conduct.lifetimeSeconds = 12;
    await signInAtIssuer(page, `${server.url}/assets`);
    await page.getByRole('link', { name: 'Pump 1' }).click();
    await page.getByRole('heading', { name: 'Pump 1' }).waitFor();
    const asset = addressOf(page);
    const banner = page.getByRole('banner').getByRole('alert');
    await banner.getByText('expired').waitFor();
    expect(await page.getByRole('heading', { name: 'Pump 1' }).count()).to.equal(1);
    issuer.reset();
    await banner.getByRole('link', { name: 'sign in again' }).click();
    await page.locator('.issuers button:enabled').click();
    await page.getByRole('link', { name: 'Continue as Anna' }).click();
    await page.getByRole('heading', { name: 'Pump 1' }).waitFor();
    expect(addressOf(page)).to.equal(asset);
    expect(await banner.count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('pauses the stream of events at its end, and goes on with it after a new sign-in', async () => {
    const { server, tenant, issuer, open } = fixture();
    const { page, close } = await open();
    issuer.conduct.lifetimeSeconds = 10;
    await signInAtIssuer(page, `${server.url}/`);
    await page.locator('.badge', { hasText: 'live' }).waitFor();
    await page.getByText('paused until you sign in').waitFor();
    expect(await page.getByRole('link', { name: 'Pump 1' }).count()).to.be.greaterThan(0);
    issuer.reset();
    await tenant.createAsset({ arc_display_name: 'Pump 3' });
    await page.getByRole('link', { name: 'sign in again' }).click();
    await pasteToken(page, tenant.token);
    await page.locator('.badge', { hasText: 'live' }).waitFor();
    await page.getByRole('link', { name: 'Pump 3' }).waitFor();
    await close();
  });

  it('does not depend on the clock of the browser', async () => {
    const { server, tenant, open } = fixture();
    const { page, close } = await open(tenant.token);
    await page.clock.setSystemTime(Date.now() + 2 * HOUR_MS);
    await page.goto(`${server.url}/assets`);
    await page.getByRole('link', { name: 'Pump 1' }).click();
    await page.getByRole('heading', { name: 'Pump 1' }).waitFor();
    expect(await page.getByText('expired').count()).to.equal(0);
    await close();
  });
});
