// Aims in the tables of the measurement pages.

/** An aim of a figure, and whether it is met: `≥ 5,000: met`. */
export const describeAim = (text: string, isMet: boolean): string => `${text}: ${isMet ? 'met' : '**missed**'}`;
