// Refusals of one line of a body.
import { type FieldViolation, LedgerError } from '../../ledger/errors.ts';

const ofLine = ({ field, description }: FieldViolation): FieldViolation => ({
  field: field === 'body' ? 'line' : field,
  description,
});

/** The refusal of a line: it names the line where that of a body names the body. */
export const toLineRefusal = (refusal: LedgerError): LedgerError => {
  if (!refusal.violations.some(({ field }) => field === 'body')) return refusal;
  const violations = refusal.violations.map(ofLine);
  const message = violations.map(({ field, description }) => `${field}: ${description}`).join('; ');
  return new LedgerError(refusal.code, { message, violations, cause: refusal.cause });
};
