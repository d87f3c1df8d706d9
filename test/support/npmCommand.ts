// The npm command that the tests of a suite seem to run in.

/** During the tests of this suite, this process was started by `npm run NAME`; undefined: without npm. */
export const useNpmCommand = (name: string | undefined): void => {
  const set = (value: string | undefined): void => {
    if (value === undefined) delete process.env.npm_lifecycle_event;
    else process.env.npm_lifecycle_event = value;
  };
  let before: string | undefined;
  beforeEach(() => {
    before = process.env.npm_lifecycle_event;
    set(name);
  });
  afterEach(() => set(before));
};
