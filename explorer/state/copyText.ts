// Copies text for a person.

/** Copies a text. Rejects where the browser lets no page copy: at an address that is neither HTTPS nor this machine. */
export const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard === undefined) throw new Error('pages of this address can’t copy');
  await navigator.clipboard.writeText(text);
};
