// Checks a decoded value against one schema of the document, as the validator of requests checks a body.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ApiDocument, SchemaObject } from './document.ts';
import { keep } from './kept.ts';
import { toReachable } from './reachable.ts';
import { toValidated } from './validatedDocument.ts';
import { toRefusal, type ValidatorFinding } from './validation.ts';

const DOCUMENT = 'document';

const toFinding = ({ instancePath, keyword, params }: ErrorObject): ValidatorFinding => {
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  const name = missingProperty ?? additionalProperty;
  return { path: `/body${instancePath}${name === undefined ? '' : `/${name}`}`, errorCode: keyword };
};

const compile = (document: ApiDocument, $ref: string | undefined): ValidateFunction => {
  const components = toReachable(toValidated(document).components, { $ref });
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ components }, DOCUMENT);
  const isValid = ajv.getSchema(`${DOCUMENT}${$ref}`);
  if (isValid === undefined) throw new TypeError(`the document has no schema ${$ref}`);
  return isValid;
};

const openSchemas = keep(
  (document: ApiDocument) => keep(($ref: string | undefined) => compile(document, $ref)),
  new WeakMap(),
);

/**
 * Compiles a schema that the document names. The function that it returns throws LedgerError REQUEST_INVALID or
 * ATTRIBUTE_INVALID, which names the fields, for a value that the schema doesn't describe.
 */
export const createBodyCheck = (document: ApiDocument, { $ref }: SchemaObject): ((value: unknown) => void) => {
  const isValid = openSchemas(document)($ref);
  return (value) => {
    if (!isValid(value)) throw toRefusal(isValid.errors!.map(toFinding));
  };
};
