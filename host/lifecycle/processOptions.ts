// Options of Node that give others this process, or its memory with all keys: a person who sets them knows it, and an
// operator to whose environment they came doesn't.

const OPENING: readonly [option: RegExp, effect: string][] = [
  [/^--inspect(?:-brk|-wait)?(?:=|$)/, 'opens a debugger'],
  [/^--heapsnapshot-(?:signal|near-heap-limit)/, 'writes the memory into files'],
  [/^--report-(?:on-|uncaught-)/, 'writes reports with the environment into files'],
  [/^--(?:cpu|heap)-prof$/, 'writes profiles into files'],
];

/** One line for each option, of the command line or of NODE_OPTIONS, that opens a process. */
export const findOpeningOptions = (execArgv: readonly string[], nodeOptions = ''): readonly string[] =>
  [...execArgv, ...nodeOptions.split(/\s+/)].flatMap((option) => {
    const [, effect] = OPENING.find(([pattern]) => pattern.test(option)) ?? [];
    return effect === undefined ? [] : [`warning: ${option} ${effect}: who reaches that has all keys of this process`];
  });
