// Copies text for a person.

/** Copies a text. Rejects where the browser doesn't let a page copy: the address is neither encrypted nor this machine. */
export const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard === undefined) throw new Error('pages of this address can’t copy');
  await navigator.clipboard.writeText(text);
};
