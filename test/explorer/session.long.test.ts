// What happens in a real browser when the token of a session expires while a person reads.
import { expect } from 'chai';
import { describeInBrowser, expectShown } from './browser.ts';
import { addressOf, pasteToken, signInAtIssuer, useSignInFixture } from './signInFixture.ts';

const HOUR_MS = 3_600_000;
/** The issuer's clock doesn't pass it: tokens of after it live longer. */
const LIFETIME_SECONDS = 600;
// Pages know the server's time to the second.
const PAST_END_MS = (LIFETIME_SECONDS + 5) * 1_000;

describeInBrowser('a session of the explorer', () => {
  const fixture = useSignInFixture();

  it('leads after its end and a new sign-in back to the page, which stays readable meanwhile', async () => {
    const { server, issuer, fastForward, open } = fixture();
    const { page, faults, close } = await open();
    await page.clock.install();
    issuer.conduct.lifetimeSeconds = LIFETIME_SECONDS;
    await signInAtIssuer(page, `${server.url}/assets`);
    await page.getByRole('link', { name: 'Pump 1' }).click();
    await page.getByRole('heading', { name: 'Pump 1' }).waitFor();
    const asset = addressOf(page);
    const banner = page.getByRole('banner').getByRole('alert');
    await fastForward(page, PAST_END_MS);
    await banner.getByText('expired').waitFor();
    await expectShown(() => page.getByRole('heading', { name: 'Pump 1' }).count(), 1);
    issuer.conduct.lifetimeSeconds = 6 * LIFETIME_SECONDS;
    await banner.getByRole('link', { name: 'sign in again' }).click();
    await page.locator('.issuers button:enabled').click();
    await page.getByRole('link', { name: 'Continue as Anna' }).click();
    await page.getByRole('heading', { name: 'Pump 1' }).waitFor();
    await expectShown(async () => addressOf(page), asset);
    await expectShown(() => banner.count(), 0);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('pauses the stream of events at its end, and goes on with it after a new sign-in', async () => {
    const { server, tenant, issuer, fastForward, open } = fixture();
    const { page, close } = await open();
    await page.clock.install();
    issuer.conduct.lifetimeSeconds = LIFETIME_SECONDS;
    await signInAtIssuer(page, `${server.url}/`);
    await page.locator('.badge', { hasText: 'live' }).waitFor();
    await fastForward(page, PAST_END_MS);
    await page.getByText('paused until you sign in').waitFor();
    await page.getByRole('link', { name: 'Pump 1' }).first().waitFor();
    issuer.conduct.lifetimeSeconds = 6 * LIFETIME_SECONDS;
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
    await expectShown(() => page.getByText('expired').count(), 0);
    await close();
  });
});
