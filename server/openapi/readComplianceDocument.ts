// Reads compliance.gen.json, the compliance operations as OpenAPI 2.0, which complianceConversion.ts generates from
// server/openapi.yaml.
import { readFileSync } from 'node:fs';
import type { ServerLimits } from '../limits.ts';

interface Parameter {
  readonly name: string;
  maximum?: number;
}

/** An OpenAPI 2.0 document. */
export interface ComplianceDocument {
  readonly swagger: '2.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters: readonly Parameter[] }>>>>;
  readonly [field: string]: unknown;
}

export const COMPLIANCE_FILE = new URL('compliance.gen.json', import.meta.url);

/** The document, with the configured limits in place of its defaults. */
export const readComplianceDocument = ({ pageSizeMax }: Pick<ServerLimits, 'pageSizeMax'>): ComplianceDocument => {
  const document = JSON.parse(readFileSync(COMPLIANCE_FILE, 'utf8')) as ComplianceDocument;
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  for (const parameter of operations.flatMap(({ parameters }) => parameters))
    if (parameter.name === 'page_size') parameter.maximum = pageSizeMax;
  return document;
};
