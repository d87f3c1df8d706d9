// The committed OpenAPI 2.0 document of the compliance operations, which is generated from server/openapi.yaml.
import { readFile, writeFile } from 'node:fs/promises';
import { toComplianceFile } from '../../server/openapi/complianceConversion.ts';
import { COMPLIANCE_FILE } from '../../server/openapi/readComplianceDocument.ts';

/** Writes the file. */
export const writeComplianceFile = (): Promise<void> => writeFile(COMPLIANCE_FILE, toComplianceFile());

/** Whether the file is what the generator would write. */
export const isComplianceFileCurrent = async (): Promise<boolean> =>
  (await readFile(COMPLIANCE_FILE, 'utf8')) === toComplianceFile();
