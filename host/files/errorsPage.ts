// docs/errors.md, the page of all error codes: generated from the catalogue, the statuses and the remedies.
import { readFile, writeFile } from 'node:fs/promises';
import { CATALOGUE, type LedgerErrorCode } from '../../ledger/errors.ts';
import { REMEDIES } from '../../ledger/remedies.ts';
import { GRPC_CODE, isShown, STATUS } from '../../server/http/problems.ts';

const PAGE = new URL('../../docs/errors.md', import.meta.url);

const HEAD = `# Errors

Every refusal has one shape, whatever the route: \`{"code", "message", "details": [{"error", "field", "description"}]}\`. Match
on \`details[0].error\`, which is one of the codes below and keeps its meaning; sentences may change. \`code\` is the number
that gRPC has for the status. \`field\` and \`description\` name what is wrong, where one thing is.

Codes of which clients see only \`500\` and \`Unexpected error\` are marked: the operator finds them in the log.

\`npm run generate\` writes this page.
`;

const toStatus = (code: LedgerErrorCode): string => {
  const status = STATUS[code];
  return isShown(code) ? `Status ${status}, \`code\` ${GRPC_CODE[status]}` : 'For the operator (status 500)';
};

const toEntry = (code: LedgerErrorCode): string =>
  `## ${code}\n\n${toStatus(code)}. ${CATALOGUE[code]}.\n\n${REMEDIES[code]}\n`;

const toPage = (): string => [HEAD, ...(Object.keys(CATALOGUE) as LedgerErrorCode[]).sort().map(toEntry)].join('\n');

/** Writes the page. */
export const writeErrorsPage = (): Promise<void> => writeFile(PAGE, toPage());

/** Whether the page is what the generator would write. */
export const isErrorsPageCurrent = async (): Promise<boolean> => (await readFile(PAGE, 'utf8')) === toPage();
