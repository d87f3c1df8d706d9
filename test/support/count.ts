// Nouns with their numbers, in sentences.

/** `1 record`, `2 records`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
