// verify.html as a person uses it, and nodes that lie to it.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Ledger } from '../../host/openLedger.ts';
import { openPage, type WatchedPage } from './browser.ts';

/** What a person enters and chooses; contract and chain id are the ledger's unless others are given. */
export interface Entered {
  readonly file?: Buffer;
  readonly trust?: Buffer;
  readonly node?: string;
  readonly contract?: string;
  readonly chainId?: string;
}

/** The file with this JSON. */
export const toJson = (value: object): Buffer => Buffer.from(JSON.stringify(value));

const choose = (page: Page, label: RegExp, buffer: Buffer): Promise<void> =>
  page.getByLabel(label).setInputFiles({ name: 'chosen', mimeType: 'application/octet-stream', buffer });

/** Saves the file from a server's page. */
export const saveVerifier = async (browser: Browser, origin: string, path: string): Promise<void> => {
  const { page, close } = await openPage(browser, origin, undefined);
  await page.goto(`${origin}/check`);
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'verify.html' }).click();
  await (await saved).saveAs(path);
  await close();
};

/** Enters it, and starts the check. */
export const enterInto = async (
  page: Page,
  { contract, chain }: Pick<Ledger, 'contract' | 'chain'>,
  entered: Entered,
): Promise<void> => {
  await page.getByLabel('Contract', { exact: true }).fill(entered.contract ?? contract);
  await page.getByLabel('Chain id').fill(entered.chainId ?? String(chain.chainId));
  await page.getByLabel('URL of a node').fill(entered.node ?? '');
  if (entered.file !== undefined) await choose(page, /File to check/, entered.file);
  if (entered.trust !== undefined) await choose(page, /roots of trust/, entered.trust);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
};

/** A page that was opened from a file. */
export interface OpenedFile extends WatchedPage {
  /** Messages of the console and errors. */
  messages(): string[];
  /** The URLs of all requests. */
  readonly requested: string[];
}

/** Opens a page from a file. */
export const openFile = async (
  browser: Browser,
  path: string,
  options?: BrowserContextOptions,
): Promise<OpenedFile> => {
  const watched = await openPage(browser, 'file://', undefined, options);
  const requested: string[] = [];
  watched.page.on('request', (request) => requested.push(request.url()));
  await watched.page.goto(pathToFileURL(path).href);
  return { ...watched, messages: () => watched.faults.filter((fault) => !fault.startsWith('request to ')), requested };
};

interface Served {
  readonly url: string;
  close(): Promise<unknown>;
}

const serve = async (listener: http.RequestListener): Promise<Served> => {
  const server = http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};

/** A node whose operator lies: the members of its answers, by method. */
export const serveLies = (answerOf: (method: string) => object): Promise<Served> => {
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' };
  return serve(async (request, response) => {
    const body = (await request.toArray()).join('');
    const { method } = JSON.parse(body || '{}') as { method: string };
    response.writeHead(200, cors).end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...answerOf(method) }));
  });
};

/** A server that has the page alone, with headers. */
export const servePage = (page: string, headers: http.OutgoingHttpHeaders = {}): Promise<Served> =>
  serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(page);
  });
