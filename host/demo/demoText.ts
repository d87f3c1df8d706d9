// What a demo prints at its end: what it has recorded, and where to look at it.
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
  readonly demo: Pick<RecordedDemo, 'name' | 'assets'>;
  readonly red: readonly RedAsset[];
  readonly recovered: RecoveredAsset | undefined;
  readonly forgery: DemoForgery;
  /** A certificate as a file. */
  readonly certificatePath: string;
  /** Whether the server has pages for people; else the links are those of the API. */
  readonly hasPages: boolean;
}

const WIDTH = 28;

const toRow = (label: string, text: string): string => `    ${label.padEnd(WIDTH)} ${text}`;
const nameOf = ({ plan }: RecordedAsset): string => plan.attributes.arc_display_name ?? plan.name;

const toLink = ({ server, hasPages }: DemoReport, path: string): string =>
  hasPages ? `${server.url}/${path}` : `${server.url}/archivist/v2/${path}`;

const toPublicLink = ({ server, hasPages }: DemoReport, { identity }: RecordedAsset): string =>
  hasPages ? `${server.url}/p/${identity}` : `${server.url}/archivist/v2/public${identity}`;

const toRecordedLines = (report: DemoReport): string[] => {
  const { assets, name } = report.demo;
  const events = assets.reduce((sum, { plan }) => sum + plan.events.length, 0);
  return [
    `The ledger has ${assets.length} assets and ${events} events with the attribute demo=${name}`,
    toRow('list', toLink(report, `assets?attributes.demo=${name}`)),
  ];
};

const toRedLines = (report: DemoReport): string[] => [
  'Not compliant now',
  ...report.red.flatMap(({ asset, reasons }) => [
    ...reasons.map((reason) => toRow(nameOf(asset), reason)),
    toRow('', toLink(report, asset.identity)),
  ]),
  `    Gauges in continuous duty follow ${CHECK_SECONDS} s after their last check; --live checks them again.`,
];

const toRecoveredLines = (report: DemoReport): string[] => {
  if (report.recovered === undefined) return [];
  const { asset, redAt } = report.recovered;
  const past = `${report.server.url}/archivist/v1/compliance/${asset.identity}?compliant_at=${redAt}`;
  return [
    'Was too warm, and complies again',
    toRow(nameOf(asset), toLink(report, asset.identity)),
    toRow('as it was', report.hasPages ? `${toLink(report, asset.identity)}?at=${redAt}` : past),
  ];
};

const toPublicLines = (report: DemoReport): string[] => [
  'Public, without a token',
  ...report.demo.assets
    .filter(({ plan }) => plan.isPublic)
    .map((asset) => toRow(nameOf(asset), toPublicLink(report, asset))),
];

const toVerdictLines = (title: string, { findings }: EventVerdict): string[] => [
  title,
  ...findings.filter(({ answer }) => answer !== 'not answered').map((finding) => `    ${toAnswerLine(finding)}`),
];

const toForgeryLines = (report: DemoReport): string[] => {
  const { server, forgery } = report;
  const { contract, rpcUrl } = server;
  return [
    ...toVerdictLines('The same reading, after somebody has changed its temperature', forgery.forged),
    toRow('genuine', forgery.genuinePath),
    toRow('forged', forgery.forgedPath),
    toRow('check it', `npm run verify -- ${toShellWord(forgery.forgedPath)} --rpc ${rpcUrl} --contract ${contract}`),
    toRow('recorded', toLink(report, forgery.identity)),
  ];
};

const toSections = (report: DemoReport): string[][] => {
  const { contract, rpcUrl } = report.server;
  const checked = `A third party, which doesn't trust the server, checks a reading on the contract ${contract} through ${rpcUrl}`;
  return [
    toRecordedLines(report),
    toRedLines(report),
    toRecoveredLines(report),
    toPublicLines(report),
    toVerdictLines(checked, report.forgery.genuine),
    toForgeryLines(report),
    ['A certificate that is on the ledger by its SHA-256', toRow('file', report.certificatePath)],
    [
      report.hasPages
        ? 'Sign in with a token: npm run --silent token'
        : 'The links other than the public ones need a token: npm run --silent token',
    ],
  ];
};

/** What is red, what recovered, the public pages, the forgery, and a file to look for. */
export const toDemoLines = (report: DemoReport): string[] =>
  toSections(report)
    .filter((lines) => lines.length > 0)
    .flatMap((lines) => ['', ...lines]);
