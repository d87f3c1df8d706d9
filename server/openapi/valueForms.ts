// Values of parameters that have several forms: each is read as the one that responses have, and a text that has none
// of them is refused, because it would select nothing (decision 20). The document names the form: `x-form`.
import { toChecksumAddress } from '../../ledger/encoding/address.ts';
import { toAssetIdentity, toTenantIdentity } from '../../ledger/identity.ts';

interface ValueForm {
  /** What a value must be, for people. */
  readonly description: string;
  /** The value as responses have it; undefined for a text of another form. */
  read(text: string): string | undefined;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const toForm = (form: RegExp, description: string, toValue: (part: string) => string): ValueForm => ({
  description,
  read: (text) => {
    const part = form.exec(text)?.[1];
    return part === undefined ? undefined : toValue(part.toLowerCase());
  },
});

const FORMS: Readonly<Record<string, ValueForm>> = {
  address: toForm(/^(?:0x)?([0-9a-f]{40})$/i, 'an address: 0x and 40 hexadecimal digits', (digits) =>
    toChecksumAddress(`0x${digits}`),
  ),
  transaction: toForm(
    /^(?:0x)?([0-9a-f]{64})$/i,
    'the hash of a transaction: 0x and 64 hexadecimal digits',
    (digits) => `0x${digits}`,
  ),
  sha256: toForm(
    /^(?:0x|sha-?256:)?([0-9a-f]{64})$/i,
    'a SHA-256: 64 hexadecimal digits, which 0x or sha256: may precede',
    (digits) => digits,
  ),
  tenant: toForm(new RegExp(`^(?:tenant/)?(${UUID})$`, 'i'), 'a tenant: tenant/<uuid>', toTenantIdentity),
  asset: toForm(new RegExp(`^(?:(?:public)?assets/)?(${UUID})$`, 'i'), 'an asset: assets/<uuid>', toAssetIdentity),
  chain: {
    description: 'the id of a chain: a number in decimal digits, or in hexadecimal ones after 0x',
    read: (text) => (/^(?:\d{1,78}|0x[0-9a-f]{1,64})$/i.test(text) ? String(BigInt(text.toLowerCase())) : undefined),
  },
};

/**
 * The form of this name.
 * @throws TypeError for another name.
 */
export const toValueForm = (name: string): ValueForm => {
  if (!Object.hasOwn(FORMS, name)) throw new TypeError(`no value has the form ${name}`);
  return FORMS[name]!;
};
