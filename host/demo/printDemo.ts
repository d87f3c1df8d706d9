// Prints what a demo has recorded, and where to look at it.
import type { EventVerdict } from '../../chain/verification/eventVerification.ts';
import type { ServerInfo } from '../operator/controlClient.ts';
import { toAnswerLine } from '../operator/printAnswers.ts';
import { toShellWord } from '../operator/shellCommand.ts';
import type { DemoForgery } from './demoForgery.ts';
import { CHECK_SECONDS } from './demoPolicies.ts';
import type { RecoveredAsset, RedAsset } from './demoVerdicts.ts';
import type { RecordedAsset, RecordedDemo } from './recordDemo.ts';

/** All that is printed. */
export interface DemoReport {
  readonly server: ServerInfo;
  readonly demo: RecordedDemo;
  readonly red: readonly RedAsset[];
  readonly recovered: RecoveredAsset | undefined;
  readonly forgery: DemoForgery;
  /** A certificate as a file. */
  readonly certificatePath: string;
  /** Whether the server has pages for people; else the links are those of the API. */
  readonly hasPages: boolean;
}

const WIDTH = 28;

const printTitle = (text: string): void => console.log(`\n${text}`);
const printRow = (label: string, text: string): void => console.log(`    ${label.padEnd(WIDTH)} ${text}`);
const nameOf = ({ plan }: RecordedAsset): string => plan.attributes.arc_display_name ?? plan.name;

const toLink = ({ server, hasPages }: DemoReport, path: string): string =>
  hasPages ? `${server.url}/${path}` : `${server.url}/archivist/v2/${path}`;

const toPublicLink = ({ server, hasPages }: DemoReport, { identity }: RecordedAsset): string =>
  hasPages ? `${server.url}/p/${identity}` : `${server.url}/archivist/v2/public${identity}`;

const printRed = (report: DemoReport): void => {
  printTitle('Not compliant now');
  for (const { asset, reasons } of report.red) {
    for (const reason of reasons) printRow(nameOf(asset), reason);
    printRow('', toLink(report, asset.identity));
  }
  console.log(
    `    Gauges in continuous duty follow ${CHECK_SECONDS} s after their last check; --live checks them again.`,
  );
};

const printRecovered = (report: DemoReport): void => {
  if (report.recovered === undefined) return;
  const { asset, redAt } = report.recovered;
  printTitle('Was too warm, and complies again');
  printRow(nameOf(asset), toLink(report, asset.identity));
  printRow('as it was', `${report.server.url}/archivist/v1/compliance/${asset.identity}?compliant_at=${redAt}`);
};

const printVerdict = (title: string, { findings }: EventVerdict): void => {
  printTitle(title);
  for (const finding of findings.filter(({ answer }) => answer !== 'not answered'))
    console.log(`    ${toAnswerLine(finding)}`);
};

const printForgery = ({ server, forgery }: DemoReport): void => {
  const { contract, rpcUrl } = server;
  printVerdict(
    `A third party, which doesn't trust the server, checks a reading on the contract ${contract} through ${rpcUrl}`,
    forgery.genuine,
  );
  printVerdict('The same reading, after somebody has changed its temperature', forgery.forged);
  printRow('genuine', forgery.genuinePath);
  printRow('forged', forgery.forgedPath);
  const path = toShellWord(forgery.forgedPath);
  printRow('check it', `npm run verify -- ${path} --rpc ${rpcUrl} --contract ${contract}`);
};

/** Prints what is red, what recovered, the public pages, the forgery, and a file to look for. */
export const printDemo = (report: DemoReport): void => {
  const { assets, name } = report.demo;
  const events = assets.reduce((sum, { plan }) => sum + plan.events.length, 0);
  printTitle(`The ledger has ${assets.length} assets and ${events} events with the attribute demo=${name}`);
  printRow('list', report.hasPages ? toLink(report, 'assets') : toLink(report, `assets?attributes.demo=${name}`));
  printRed(report);
  printRecovered(report);
  printTitle('Public, without a token');
  for (const asset of assets.filter(({ plan }) => plan.isPublic)) printRow(nameOf(asset), toPublicLink(report, asset));
  printForgery(report);
  printTitle('A certificate that is on the ledger by its SHA-256');
  printRow('file', report.certificatePath);
  if (!report.hasPages) console.log('\nThe links other than the public ones need a token: npm run --silent token');
};
