// What organisations send each other of themselves: the body of their own subject, as JSON or as its base64 text.

/** What a subject is created from, as lines of text. */
export interface SubjectText {
  readonly name: string;
  readonly walletKeys: string;
  readonly walletAddresses: string;
  readonly tesseraKeys: string;
}

/** A subject with nothing in it. */
export const EMPTY_SUBJECT: SubjectText = { name: '', walletKeys: '', walletAddresses: '', tesseraKeys: '' };

/** What every tenant calls itself, which is nobody's name. */
const SELF = 'Self';

/** The lines of a text, without blanks around them. */
export const toTextLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const fromBase64 = (text: string): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(
    Uint8Array.from(atob(text.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0)),
  );

const toTexts = (value: unknown): string =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string').join('\n') : '';

/** Reads what another organisation has sent; undefined if it is no subject. */
export const parseSubject = (text: string): SubjectText | undefined => {
  try {
    const trimmed = text.trim();
    const body: unknown = JSON.parse(trimmed.startsWith('{') ? trimmed : fromBase64(trimmed));
    const { display_name, wallet_pub_key, wallet_address, tessera_pub_key } = body as Record<string, unknown>;
    const walletKeys = toTexts(wallet_pub_key);
    if (walletKeys === '') return undefined;
    const name = typeof display_name === 'string' && display_name !== SELF ? display_name : '';
    return { name, walletKeys, walletAddresses: toTexts(wallet_address), tesseraKeys: toTexts(tessera_pub_key) };
  } catch {
    return undefined;
  }
};
