// Signing in to the explorer in a real browser: by a token, by the link of the first start, and with an issuer.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { LINK_LIFETIME_MS } from '../../server/explorer/signInLink.ts';
import { describeInBrowser, expectShown, findBarriers, readWidth } from './browser.ts';
import { addressOf, goToIssuer, pasteToken, signInAtIssuer, storedNames, useSignInFixture } from './signInFixture.ts';

/** Longer than the server waits before it asks an issuer again that it didn't reach. */
const REACHED_MS = 30_000;

describeInBrowser('signing in to the explorer', () => {
  const fixture = useSignInFixture();
  const alert = (page: Page) => page.getByRole('main').getByRole('alert');
  const issuerButton = (page: Page) => page.getByRole('button', { name: /^Sign in with/ });

  it('says that an issuer is not reached, and works as soon as it is', async () => {
    const { server, issuer, open } = fixture();
    issuer.conduct.isUp = false;
    const { page, faults, close } = await open();
    await page.goto(`${server.url}/assets`);
    await page.getByText('doesn’t reach').waitFor();
    await expectShown(() => issuerButton(page).isDisabled(), true);
    issuer.reset();
    await page.locator('.issuers button:enabled').click({ timeout: REACHED_MS });
    await page.getByRole('link', { name: 'Continue as Anna' }).click();
    await page.getByRole('link', { name: 'Pump 1' }).waitFor();
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('with an issuer leads back to where the person was, and leaves no code behind', async () => {
    const { server, issuer, open } = fixture();
    const { page, faults, close } = await open();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const before = issuer.exchanges.length;
    await signInAtIssuer(page, `${server.url}/assets?sort=-Name`);
    await page.getByRole('link', { name: 'Pump 1' }).waitFor();
    await expectShown(async () => addressOf(page), '/assets?sort=-Name');
    expect(issuer.exchanges.slice(before)).to.deep.equal(['exchanged']);
    await expectShown(() => storedNames(page), ['provenance-ledger-token']);
    expect(requests.filter((url) => url.includes('code='))).to.have.length(1);
    await page.reload();
    await page.getByRole('link', { name: 'Pump 1' }).waitFor();
    expect(faults).to.deep.equal([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Access token').waitFor();
    await expectShown(() => storedNames(page), []);
    await expectShown(() => page.getByRole('link', { name: 'Pump 1' }).count(), 0);
    await close();
  });

  it('with an issuer fails when the person declines', async () => {
    const { server, open } = fixture();
    const { page, faults, close } = await open();
    await goToIssuer(page, `${server.url}/sign-in`);
    await page.getByRole('link', { name: 'Decline' }).click();
    await alert(page).getByText('access_denied (Anna declined)').waitFor();
    await expectShown(async () => addressOf(page), '/sign-in');
    await expectShown(() => storedNames(page), []);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('with an issuer accepts no answer of another sign-in, and asks for no token then', async () => {
    const { server, issuer, open } = fixture();
    const changes: ((answer: URLSearchParams) => void)[] = [
      (answer) => answer.set('state', 'another'),
      (answer) => answer.delete('state'),
      (answer) => answer.set('iss', 'https://other.example'),
      (answer) => answer.delete('iss'),
    ];
    const before = issuer.exchanges.length;
    for (const change of changes) {
      issuer.conduct.changeAnswer = change;
      const { page, faults, close } = await open();
      await signInAtIssuer(page, `${server.url}/sign-in`);
      await alert(page).getByText('Sign in again').waitFor();
      await expectShown(async () => addressOf(page), '/sign-in');
      await expectShown(() => storedNames(page), []);
      expect(faults).to.deep.equal([]);
      await close();
    }
    expect(issuer.exchanges.length).to.equal(before);
  });

  it('accepts no answer that nobody has asked for, and shows no text of it', async () => {
    const { server, open } = fixture();
    const { page, faults, close } = await open();
    for (const query of ['code=a&state=b', 'error=access_denied&error_description=Call+this+number&state=b']) {
      await page.goto(`${server.url}/sign-in?${query}`);
      await alert(page).getByText('no sign-in that waits for an answer').waitFor();
      await expectShown(async () => addressOf(page), '/sign-in');
      await expectShown(() => page.getByText('Call this number').count(), 0);
    }
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('with an issuer sends the verifier of its own request: the issuer refuses another one', async () => {
    const { server, issuer, open } = fixture();
    const { page, close } = await open();
    await page.route(`${issuer.url}/token`, (route) => {
      const form = new URLSearchParams(route.request().postData()!);
      form.set('code_verifier', 'a'.repeat(43));
      return route.continue({ postData: form.toString() });
    });
    await signInAtIssuer(page, `${server.url}/sign-in`);
    await alert(page).getByText('invalid_grant').waitFor();
    expect(issuer.exchanges.at(-1)).to.equal('refused');
    await expectShown(() => storedNames(page), []);
    await close();
  });

  it('with an issuer refuses an ID token of another request', async () => {
    const { server, issuer, open } = fixture();
    issuer.conduct.toNonce = (nonce) => `${nonce}a`;
    const { page, close } = await open();
    await signInAtIssuer(page, `${server.url}/sign-in`);
    await alert(page).getByText('nonce').waitFor();
    await expectShown(() => storedNames(page), []);
    await close();
  });

  it('begins no session with a token that the server refuses, pasted or from an issuer', async () => {
    const { server, tenant, issuer, open } = fixture();
    issuer.conduct.tokenType = 'JWT';
    const { page, close } = await open();
    await signInAtIssuer(page, `${server.url}/sign-in`);
    await alert(page).getByText('doesn’t accept this token').waitFor();
    await pasteToken(page, `${tenant.token.slice(0, -4)}AAAA`);
    await alert(page).getByText('doesn’t accept this token').waitFor();
    await expectShown(() => storedNames(page), []);
    await pasteToken(page, tenant.token);
    await page.getByRole('heading', { name: 'Now' }).waitFor();
    await close();
  });

  it('by the link of the first start works once, as the first application', async () => {
    const { server, tenant, link, open } = fixture();
    const address = link.open({ origin: server.url, clientId: tenant.clientId });
    const { page, faults, close } = await open();
    await page.goto(address);
    await page.getByRole('heading', { name: 'Now' }).waitFor();
    await expectShown(async () => addressOf(page), '/');
    await page.goto(`${server.url}/assets`);
    await page.getByRole('link', { name: 'Pump 1' }).waitFor();
    const token = await page.evaluate<string>(`sessionStorage.getItem('provenance-ledger-token')`);
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
    expect(claims).to.include({ sub: tenant.clientId, tenant: tenant.identity });
    expect(claims.roles).to.deep.equal(['writer', 'administrator']);
    expect(faults).to.deep.equal([]);
    await close();
    const again = await open();
    await again.page.goto(address);
    await alert(again.page).getByText('the code was used before').waitFor();
    expect(addressOf(again.page)).to.equal('/sign-in');
    await again.close();
  });

  it('by a link that is opened where the page to sign in is open', async () => {
    const { server, tenant, link, open } = fixture();
    const { page, faults, close } = await open();
    await page.goto(`${server.url}/sign-in`);
    await page.getByLabel('Access token').waitFor();
    await page.goto(link.open({ origin: server.url, clientId: tenant.clientId }));
    await page.getByRole('heading', { name: 'Now' }).waitFor();
    await expectShown(async () => addressOf(page), '/');
    await page.goBack();
    expect(page.url()).not.to.contain('code');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('by the link is refused when it is late, and says what to do', async () => {
    const { server, tenant, linkClock, link, open } = fixture();
    const address = link.open({ origin: server.url, clientId: tenant.clientId });
    linkClock.atMs += LINK_LIFETIME_MS;
    const { page, close } = await open();
    await page.goto(address);
    await alert(page).getByText('npm run token').waitFor();
    await close();
  });

  it('leads back to pages of this server alone', async () => {
    const { server, tenant, open } = fixture();
    const { page, close } = await open();
    for (const to of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/sign-in',
    ]) {
      await page.goto(`${server.url}/sign-in?${new URLSearchParams({ to })}`);
      await pasteToken(page, tenant.token);
      await page.getByRole('heading', { name: 'Now' }).waitFor();
      await expectShown(async () => addressOf(page), '/');
    }
    await close();
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`has no barrier on its page, ${colorScheme}`, async () => {
      const { server, open } = fixture();
      const { page, faults, close } = await open(undefined, { colorScheme, viewport: { width: 320, height: 800 } });
      await page.goto(`${server.url}/sign-in?code=a`);
      await alert(page).waitFor();
      await issuerButton(page).waitFor();
      expect(await findBarriers(page)).to.deep.equal([]);
      expect(await readWidth(page)).to.equal(320);
      expect(faults).to.deep.equal([]);
      await close();
    });
});
