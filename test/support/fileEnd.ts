// What the tests of one file share with each other, and with no other file.

type End = () => Promise<void>;

const ends: End[] = [];

/** Has `end` called when all tests of the present file have ended. */
export const atFileEnd = (end: End): void => {
  ends.push(end);
};

/** Ends what the tests of a file shared. */
export const endFile = async (): Promise<void> => {
  await Promise.all(ends.splice(0).map((end) => end()));
};
